"""The demo's CSV ledger, e-mail with attachment, press release as HTML, and a scanned page."""

from datetime import date
from email.message import EmailMessage
from html import escape

from apps.demo.documents import lease
from apps.demo.documents.figures import FY2023_RESTATED, FY2024, million
from apps.demo.documents.layout import Report
from apps.demo.documents.lease import day, tl
from apps.reading._pymupdf import pymupdf

_VEHICLES = ("34 MLK 101", "34 MLK 102", "34 MLK 103", "34 MLK 104", "34 MLK 105", "34 MLK 106")


def ledger() -> bytes:
    """The customer's account of 2024 as an accounting program exports it: semicolons, Windows-1254."""
    rows = ["Tarih;Fiş no;Açıklama;Borç;Alacak;Bakiye", "01.01.2024;1;Devir;;;0,00"]
    balance, slip = 0, 1
    for month, name in enumerate(_MONTHS, start=1):
        slip += 1
        balance += lease.RENT
        rows.append(f"{day(date(2024, month, 15))};{slip};{name} kirası;{tl(lease.RENT)},00;;{tl(balance)},00")
        if month == 9:  # the fire: September was paid in October
            continue
        paid = 2 * lease.RENT if month == 10 else lease.RENT
        slip += 1
        balance -= paid
        rows.append(f"{day(date(2024, month, 17))};{slip};{name} tahsilatı;;{tl(paid)},00;{tl(balance)},00")
    return ("\r\n".join(rows) + "\r\n").encode("cp1254")


def mail() -> bytes:
    """The customer's mail that led to the amendment, with the list of trucks attached."""
    made = EmailMessage()
    made["From"] = "Selin Kaya <selin.kaya@anadolulojistik.example>"
    made["To"] = "Kurumsal Kiralama <kurumsal@meridyen.example>"
    made["Subject"] = f"{lease.CONTRACT}: 6 çekici ilavesi"
    made["Date"] = "Mon, 21 Oct 2024 09:14:00 +0300"
    made.set_content(
        "Merhaba,\n\n"
        f"{lease.CONTRACT} sayılı sözleşmemize {lease.ADDED_TRUCKS} çekici eklemek istiyoruz. Satıcının teklifi araç başına "
        f"{tl(lease.ADDED_PRICE)} TL, toplam {tl(lease.ADDED_TRUCKS * lease.ADDED_PRICE)} TL'dir. Teslim tarihi 20 Aralık 2024.\n\n"
        "Eylül kirası yangın nedeniyle 17 Ekim'de ödendi; temerrüt faizi uygulanmamasını rica ederiz.\n\n"
        "Araç listesi ektedir.\n\nSaygılarımla,\nSelin Kaya\nMali İşler Müdürü\n"
    )
    lines = ["Plaka;Model yılı;Bedel (TL)", *(f"{plate};2024;{tl(lease.ADDED_PRICE)},00" for plate in _VEHICLES)]
    made.add_attachment(
        ("\r\n".join(lines) + "\r\n").encode("utf-8-sig"), maintype="text", subtype="csv", filename="Araç listesi.csv"
    )
    return bytes(made)


def press_release() -> bytes:
    """The HTML of the group's press release on 2024."""
    rows = "".join(
        f"<tr><td>{escape(label)}</td><td>{million(now)}</td><td>{million(before)}</td></tr>"
        for label, now, before in (
            ("Insurance revenue", FY2024.insurance_revenue, FY2023_RESTATED.insurance_revenue),
            ("Leasing income", FY2024.leasing_income, FY2023_RESTATED.leasing_income),
            ("Net profit", FY2024.net_profit, FY2023_RESTATED.net_profit),
            ("Total assets", FY2024.total_assets, FY2023_RESTATED.total_assets),
            ("Equity", FY2024.equity, FY2023_RESTATED.equity),
        )
    )
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Meridyen Holding: results for 2024</title></head><body>
<h1>Meridyen Holding reports results for 2024</h1>
<p>Amsterdam, 6 March 2025. Net profit rose to EUR {million(FY2024.net_profit)} million in 2024, from EUR
{million(FY2023_RESTATED.net_profit)} million a year before. The Board proposes a dividend of EUR {FY2024.dividends} million.</p>
<h2>Key figures</h2>
<p>In millions of euro</p>
<table><thead><tr><th></th><th>2024</th><th>2023</th></tr></thead><tbody>{rows}</tbody></table>
<h2>What the chair says</h2>
<blockquote>“We will open two leasing offices in Poland in 2025 and buy no company.”</blockquote>
<h2>Calendar</h2>
<ul><li>Annual general meeting: 14 May 2025</li><li>Half-year results: 7 August 2025</li></ul>
</body></html>
""".encode()


def scanned_page() -> bytes:
    """The PNG of a surveyor's minutes: a picture of text, as a scanner leaves it."""
    report = Report(title="Ekspertiz tutanağı", running_title=f"Kuzey Ekspertiz  {lease.CLAIM}")
    report.new_page()
    report.heading(f"Ekspertiz tutanağı {lease.CLAIM}")
    for line in (
        f"Poliçe {lease.POLICY}, {lease.LESSEE}, Gebze deposu, 18 Eylül 2024.",
        "B bölümünde 1.240 palet emtia yandı veya ıslandı. Çatının 860 metrekaresi yenilenecektir.",
        "Sprinkler sisteminin son test tarihi 2 Şubat 2024 olarak tespit edildi.",
        "Tutanak, sigortalının depo müdürü ile birlikte düzenlenmiştir.",
    ):
        report.paragraph(line)
    printed = pymupdf.open(stream=report.finish(front_pages=0, footer="Kocaeli"), filetype="pdf")
    picture = printed[0].get_pixmap(dpi=130, colorspace=pymupdf.csGRAY, alpha=False)
    return bytes(picture.tobytes("png"))


_MONTHS = (
    "Ocak",
    "Şubat",
    "Mart",
    "Nisan",
    "Mayıs",
    "Haziran",
    "Temmuz",
    "Ağustos",
    "Eylül",
    "Ekim",
    "Kasım",
    "Aralık",
)
