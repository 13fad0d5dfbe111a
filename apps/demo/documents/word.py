"""The demo's DOCX files: a leasing contract, its amendment and a claim file, in Turkish."""

import io
from collections.abc import Sequence
from typing import Any

import docx
from docx.enum.text import WD_ALIGN_PARAGRAPH

from apps.demo.documents import lease
from apps.demo.documents.lease import day, tl


def leasing_contract() -> bytes:
    """The DOCX of contract FK-2023-0417."""
    made = _begun(f"Finansal Kiralama Sözleşmesi {lease.CONTRACT}", lease.LESSOR)
    made.add_paragraph(
        f"İşbu sözleşme, kiralayan {lease.LESSOR} ile kiracı {lease.LESSEE} (vergi no 0680542317) arasında "
        f"{day(lease.SIGNED)} tarihinde İstanbul'da imzalanmıştır."
    )
    made.add_heading("1. Kiralananlar", 1)
    _table(made, ("Kiralanan", "Adet", "Birim fiyat (TL)", "Tutar (TL)"), [
        ("Çekici, 4x2, 460 beygir", str(lease.TRUCKS), tl(lease.TRUCK_PRICE), tl(lease.TRUCKS * lease.TRUCK_PRICE)),
    ])  # fmt: skip
    made.add_heading("2. Finansman ve kira", 1)
    _table(made, ("Kalem", "Tutar (TL)"), [
        ("Kiralananların bedeli", tl(lease.TRUCKS * lease.TRUCK_PRICE)),
        ("Peşinat", tl(lease.DOWN_PAYMENT)),
        ("Finanse edilen tutar", tl(lease.FINANCED)),
        ("Aylık kira", tl(lease.RENT)),
        ("Devir bedeli", tl(lease.TRANSFER_PRICE)),
    ])  # fmt: skip
    made.add_paragraph(
        f"Kira süresi {lease.MONTHS} aydır. Kiralar her ayın 15'inde ödenir; ilk kira {day(lease.schedule()[0].due)} "
        "tarihinde, son kira "
        f"{day(lease.schedule()[-1].due)} tarihinde muacceldir. Tutarlara KDV dahil değildir."
    )
    made.add_heading("3. Gecikme", 1)
    made.add_paragraph("Vadesinde ödenmeyen kiralara aylık yüzde 4,5 temerrüt faizi uygulanır.")
    made.add_heading("4. Sigorta", 1)
    made.add_paragraph(
        "Kiralananlar, bedelleri üzerinden tüm risklere karşı sigortalanır; sigorta primini kiracı öder. Hasar hâlinde "
        "tazminat doğrudan kiralayana ödenir."
    )
    made.add_heading("5. Fesih", 1)
    made.add_paragraph(
        "Kiracı iki kirayı üst üste ödemezse kiralayan 60 gün süreli ihtar çeker; bu süre içinde ödeme yapılmazsa sözleşme "
        "feshedilir ve kiralananlar 15 gün içinde geri verilir."
    )
    made.add_heading("6. Süre sonu", 1)
    made.add_paragraph(
        f"Kiracı bütün borçlarını ödemişse kiralananların mülkiyetini {tl(lease.TRANSFER_PRICE)} TL devir bedeliyle alabilir."
    )
    made.add_heading("7. Teminat", 1)
    for text in (
        "Kiracının ortaklarından Demir Holding A.Ş., 40.000.000 TL ile sınırlı müteselsil kefildir.",
        "Kiracı, peşinata ek olarak üç aylık kira tutarında banka teminat mektubu verir.",
    ):
        made.add_paragraph(text, style="List Bullet")
    return _finished(made)


def amendment() -> bytes:
    """The DOCX of the first amendment of the contract."""
    made = _begun(f"Ek Protokol 1 – {lease.CONTRACT}", lease.LESSOR)
    made.add_paragraph(
        f"{lease.LESSOR} ile {lease.LESSEE}, {day(lease.SIGNED)} tarihli {lease.CONTRACT} sayılı Finansal Kiralama "
        f"Sözleşmesini {day(lease.AMENDED)} tarihinde aşağıdaki gibi değiştirmiştir."
    )
    made.add_heading("1. Eklenen kiralananlar", 1)
    made.add_paragraph(
        f"Sözleşmeye birim fiyatı {tl(lease.ADDED_PRICE)} TL olan {lease.ADDED_TRUCKS} çekici eklenmiştir. Eklenen "
        f"kiralananların bedeli {tl(lease.ADDED_TRUCKS * lease.ADDED_PRICE)} TL'dir ve tamamı finanse edilir."
    )
    made.add_heading("2. Yeni kira", 1)
    _table(made, ("Kira", "Yeni (TL)", "Eski (TL)"), [
        ("İlk 24 çekici", tl(lease.RENT), tl(lease.RENT)),
        ("Eklenen 6 çekici", tl(lease.ADDED_RENT), "–"),
        ("Toplam aylık kira", tl(lease.NEW_RENT), tl(lease.RENT)),
    ])  # fmt: skip
    made.add_paragraph(
        f"Yeni toplam aylık kira 15.01.2025 tarihinden itibaren uygulanır. Eklenen çekicilerin kira süresi {lease.ADDED_MONTHS} aydır."
    )
    made.add_heading("3. Temerrüt faizi", 1)
    made.add_paragraph("Sözleşmenin 3. maddesindeki aylık temerrüt faizi yüzde 4,5'ten yüzde 5,0'a çıkarılmıştır.")
    made.add_heading("4. Diğer hükümler", 1)
    made.add_paragraph(
        "Sözleşmenin bu protokolle değiştirilmeyen hükümleri yürürlüktedir. Kefalet sınırı değişmemiştir."
    )
    return _finished(made)


def claim_file() -> bytes:
    """The DOCX of claim HS-2024-3311."""
    made = _begun(f"Hasar Dosyası {lease.CLAIM}", "Meridyen Sigorta A.Ş. – Hasar Müdürlüğü")
    _table(made, ("Alan", "Bilgi"), [
        ("Sigortalı", lease.LESSEE),
        ("Poliçe no", lease.POLICY),
        ("Riziko adresi", "Depo, Gebze, Kocaeli (2. bölge)"),
        ("Hasar nedeni", "Yangın"),
        ("Eksper", "Kuzey Ekspertiz Ltd. Şti."),
    ])  # fmt: skip
    made.add_heading("1. Olay", 1)
    made.add_paragraph(
        "14 Eylül 2024 gecesi Gebze deposunun B bölümünde şarj istasyonundan yangın çıktı. İtfaiye 21 dakikada geldi. Hasar "
        "16 Eylül 2024 tarihinde, beş iş günlük süre içinde ihbar edildi."
    )
    made.add_heading("2. Ekspertiz sonucu", 1)
    _table(made, ("Hasar hesabı", "Tutar (TL)"), [
        ("Bina hasarı", tl(lease.BUILDING_LOSS)),
        ("Emtia hasarı", tl(lease.GOODS_LOSS)),
        ("Sovtaj", tl(-lease.SALVAGE)),
        ("Toplam hasar", tl(lease.LOSS)),
        ("Sprinkler indirimi (yüzde 30)", tl(-lease.SPRINKLER_CUT)),
        ("Muafiyet", tl(-lease.DEDUCTIBLE)),
        ("Ödenecek tazminat", tl(lease.PAYABLE)),
    ])  # fmt: skip
    reason = made.add_paragraph(
        "Sprinkler sistemi son altı ayda yetkili bir firmaya test ettirilmemiştir; bu nedenle poliçenin 5.2 maddesi uyarınca "
        "yangın hasarından yüzde 30 indirim yapılmıştır."
    )
    made.add_comment(reason.runs, text="Kiracı test raporunu sonradan gönderebilir; beklenmeyecek.", author="M. Aydın")
    made.add_heading("3. Ödeme", 1)
    made.add_paragraph(
        f"İhtilafsız kısım için 4 Ekim 2024 tarihinde {tl(lease.ADVANCE)} TL avans ödendi. Kalan {tl(lease.PAYABLE - lease.ADVANCE)} "
        "TL, eksper kesin raporundan sonra 15 gün içinde ödenecektir."
    )
    return _finished(made)


def _begun(title: str, header: str) -> Any:  # Any: python-docx carries no usable types
    made = docx.Document()
    made.core_properties.title = title
    made.sections[0].header.paragraphs[0].text = header
    made.sections[0].footer.paragraphs[0].text = "Örnek belge: kurumlar ve kişiler kurgusaldır."
    made.add_heading(title, 0)
    return made


def _table(made: Any, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table = made.add_table(rows=1, cols=len(heads))
    table.style = "Table Grid"
    for cell, text in zip(table.rows[0].cells, heads, strict=True):
        cell.text = text
    for row in rows:
        cells = table.add_row().cells
        for position, (cell, text) in enumerate(zip(cells, row, strict=True)):
            cell.text = text
            if position and text[-1:].isdigit():
                cell.paragraphs[0].alignment = WD_ALIGN_PARAGRAPH.RIGHT
    made.add_paragraph()


def _finished(made: Any) -> bytes:
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()
