"""Who may sign in to the demo. Known passwords: accepted from this machine only, refused in production."""

from dataclasses import dataclass

DEMO_PASSWORD = "airis-demo"


@dataclass(frozen=True, slots=True)
class DemoPerson:
    email: str
    name: str
    organisation: str
    role: str
    language: str


DEMO_PEOPLE = (
    DemoPerson("admin@meridyen.example", "Ayşe Yılmaz", "Meridyen Sigorta ve Leasing", "admin", "tr"),
    DemoPerson("analist@meridyen.example", "İrfan Işık", "Meridyen Sigorta ve Leasing", "analyst", "tr"),
    DemoPerson("denetci@meridyen.example", "Çağla Öz", "Meridyen Sigorta ve Leasing", "auditor", "tr"),
    DemoPerson("owner@harbour.example", "Ruth Calder", "Harbour Research", "owner", "en"),
    DemoPerson("analyst@harbour.example", "Tom Avery", "Harbour Research", "analyst", "en"),
    DemoPerson("viewer@harbour.example", "Mina Patel", "Harbour Research", "viewer", "en"),
)
