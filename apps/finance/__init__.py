"""Numbers, units, periods and dates as financial documents print them. Pure: no Django, no parser, no clock."""
