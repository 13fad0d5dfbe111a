"""An insurance policy of Meridyen Sigorta: cover, exclusions, deductibles, claims."""

from apps.demo.documents.layout import Column, Report

SECTIONS = (
    ("1  Definitions", (
        "“Insured” means Anadolu Lojistik A.Ş. and its subsidiaries named in the schedule.",
        "“Event” means all losses that arise from one cause within 72 hours.",
        "“Flood” means water that leaves its natural or artificial bed, and surface water after heavy rain.",
    )),
    ("2  What is covered", (
        "We pay for sudden and accidental physical loss of or damage to the insured property, unless it is excluded below.",
        "Fire, lightning, explosion, storm, hail, theft after forcible entry and water from burst pipes are covered up to the sum insured.",
        "Business interruption is covered for a maximum of 12 months, after a waiting period of 5 days.",
    )),
    ("3  What is not covered", (
        "Flood is excluded in zone 4, unless extension F-2 is shown in the schedule.",
        "Loss through wear, corrosion, gradual deterioration or faulty design is not covered.",
        "Loss caused by war, nuclear reaction or intentional acts of the insured's management is not covered.",
        "Cyber events are excluded; a separate policy is available.",
    )),
    ("4  Deductibles", (
        "The deductible is TRY 150,000 for each event. For earthquake it is 2% of the sum insured of the location, at least TRY 500,000.",
        "The insured bears 20% of every theft loss.",
    )),
    ("5  Duties of the insured", (
        "A loss must be notified within 5 working days after it was discovered. Fire must be reported to the fire brigade at once.",
        "The sprinkler system must be tested every 6 months by a certified firm. If it was not tested, fire losses are reduced by 30%.",
    )),
    ("6  Payment of claims", (
        "We pay within 15 days after the loss adjuster's final report. If a claim is undisputed in part, that part is paid in advance.",
        "If the sum insured is lower than the value at the time of loss, the claim is reduced in proportion.",
    )),
    ("7  Premium", (
        "The annual premium is TRY 4,860,000 plus insurance tax. It is payable in four instalments on 1 April, 1 July, 1 October and 1 January.",
        "If an instalment is more than 30 days late, cover is suspended until it is paid.",
    )),
    ("8  Term and termination", (
        "The policy runs from 1 April 2024 to 31 March 2025 and is renewed for one year unless one party gives notice 60 days before it ends.",
        "After a paid claim each party may terminate with 30 days' notice.",
    )),
    ("9  Law and disputes", (
        "Turkish law applies. Disputes go to the Insurance Arbitration Commission; the courts of İstanbul have jurisdiction.",
    )),
)  # fmt: skip
SCHEDULE = (
    ("Head office, Levent, İstanbul (zone 1)", ("185.0", "42.0", "227.0")),
    ("Warehouse, Gebze, Kocaeli (zone 2)", ("640.0", "310.0", "950.0")),
    ("Cold store, Silivri, İstanbul (zone 4)", ("220.0", "96.5", "316.5")),
    ("Truck depot, Kemalpaşa, İzmir (zone 3)", ("148.0", "61.0", "209.0")),
    ("Container yard, Mersin (zone 2)", ("95.0", "18.5", "113.5")),
    ("Total", ("1,288.0", "528.0", "1,816.0")),
)


def policy() -> bytes:
    """The PDF of policy MS-2024-118204."""
    report = Report(title="Commercial Property Policy", running_title="Policy MS-2024-118204  Commercial Property")
    report.cover(("Meridyen Sigorta A.Ş.", "Policy number MS-2024-118204", "Insured: Anadolu Lojistik A.Ş."))
    report.new_page()
    report.heading("Schedule")
    report.paragraph(
        "Policy number MS-2024-118204. Policyholder Anadolu Lojistik A.Ş., tax number 0680542317. Broker: Boğaziçi Brokerlik."
    )
    report.table(
        "Sums insured by location",
        "In millions of Turkish lira",
        (Column("Buildings"), Column("Contents"), Column("Total")),
        SCHEDULE,
    )
    report.paragraph(
        "Extensions in force: E-1 earthquake, T-3 terrorism. Extension F-2 (flood in zone 4) has not been bought."
    )
    report.heading("Conditions")
    for title, paragraphs in SECTIONS:
        report.heading(title, level=2)
        for number, paragraph in enumerate(paragraphs, start=1):
            report.paragraph(f"{title.split()[0]}.{number}  {paragraph}")
    return report.finish(front_pages=1, footer="İstanbul")
