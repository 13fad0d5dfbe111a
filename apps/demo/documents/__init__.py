"""Generated files of the fictional Meridyen group. The same code gives the same bytes of text, table and chart."""
