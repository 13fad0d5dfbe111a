"""Meridyen Finansal Kiralama A.Ş.: a Turkish financial report, in thousands of lira."""

from apps.demo.documents.figures import tl
from apps.demo.documents.layout import Column, Report

BIN_TL = "(Tutarlar aksi belirtilmedikçe bin Türk Lirası (TL) olarak ifade edilmiştir.)"
ASSETS = (
    ("Nakit ve nakit benzerleri", 3_412_870, 2_905_114),
    ("Finansal kiralama alacakları", 62_915_430, 48_207_955),
    ("Beklenen zarar karşılıkları", -1_184_220, -1_003_671),
    ("Maddi duran varlıklar", 846_312, 702_940),
    ("Diğer varlıklar", 1_927_608, 1_511_402),
)
LIABILITIES = (
    ("Alınan krediler", 41_230_118, 31_870_446),
    ("İhraç edilen menkul kıymetler", 9_815_000, 8_120_000),
    ("Kiralama yükümlülükleri", 212_407, 187_530),
    ("Diğer yükümlülükler", 4_006_215, 3_254_108),
)
INCOME = (
    ("Finansal kiralama gelirleri", 17_846_221, 11_932_508),
    ("Finansman giderleri", -11_208_417, -7_140_933),
    ("Karşılık giderleri", -486_302, -391_770),
    ("Personel giderleri", -1_102_554, -768_219),
    ("Genel yönetim giderleri", -914_386, -655_040),
    ("Diğer faaliyet gelirleri", 402_118, 288_645),
)
SECTORS = ("İmalat", "İnşaat", "Taşımacılık", "Sağlık", "Tarım", "Enerji", "Turizm", "Tekstil", "Madencilik", "Diğer")
SHARES = (28, 17, 15, 9, 8, 7, 5, 5, 3, 3)


def turkish_report() -> bytes:
    """The PDF of the 2024 report."""
    report = Report(title="2024 Yılı Finansal Raporu", running_title="Meridyen Finansal Kiralama A.Ş.  31 Aralık 2024")
    report.cover(("Meridyen Finansal Kiralama A.Ş.", "31 Aralık 2024 tarihinde sona eren yıla ait finansal rapor"))
    columns = (Column("31 Aralık\n2024", 86), Column("31 Aralık\n2023", 86))
    report.new_page()
    report.heading("Yönetim Kurulu değerlendirmesi")
    receivables = ASSETS[1][1]
    report.paragraph(
        f"Şirketin finansal kiralama alacakları 2024 yılında yüzde 30,5 artarak {tl(receivables)} bin TL'ye ulaştı. "
        f"Dönem net kârı {tl(_profit(1))} bin TL oldu; bir önceki yıl {tl(_profit(2))} bin TL idi."
    )
    report.paragraph(
        "Takipteki alacakların oranı yüzde 2,4'ten yüzde 2,1'e geriledi. Artışın başlıca nedeni imalat ve taşımacılık sektörlerindeki "
        "makine ve araç yatırımlarıdır. Yeni sözleşme sayısı 6.418, ortalama vade 41 aydır."
    )
    report.paragraph("Yönetim Kurulu, Genel Kurula 950.000 bin TL kâr payı dağıtılmasını önermektedir.")
    report.new_page()
    report.heading("Finansal durum tablosu")
    total = (sum(row[1] for row in ASSETS), sum(row[2] for row in ASSETS))
    debt = (sum(row[1] for row in LIABILITIES), sum(row[2] for row in LIABILITIES))
    report.table("Finansal durum tablosu", BIN_TL, columns, [
        ("VARLIKLAR", ()),
        *((label, (tl(a), tl(b))) for label, a, b in ASSETS),
        ("Toplam varlıklar", (tl(total[0]), tl(total[1]))),
        ("YÜKÜMLÜLÜKLER VE ÖZKAYNAKLAR", ()),
        *((label, (tl(a), tl(b))) for label, a, b in LIABILITIES),
        ("Toplam yükümlülükler", (tl(debt[0]), tl(debt[1]))),
        ("Özkaynaklar", (tl(total[0] - debt[0]), tl(total[1] - debt[1]))),
        ("Toplam yükümlülükler ve özkaynaklar", (tl(total[0]), tl(total[1]))),
    ])  # fmt: skip
    report.new_page()
    report.heading("Kâr veya zarar tablosu")
    taxes = (_before_tax(1) * 30 // 100, _before_tax(2) * 30 // 100)
    periods = (Column("1 Ocak–\n31 Aralık 2024", 86), Column("1 Ocak–\n31 Aralık 2023", 86))
    report.table("Kâr veya zarar tablosu", BIN_TL, periods, [
        *((label, (tl(a), tl(b))) for label, a, b in INCOME),
        ("Net vergi öncesi kâr", (tl(_before_tax(1)), tl(_before_tax(2)))),
        ("Vergi gideri", (tl(-taxes[0]), tl(-taxes[1]))),
        ("Dönem net kârı", (tl(_profit(1)), tl(_profit(2)))),
    ])  # fmt: skip
    report.new_page()
    report.heading("Dipnotlar")
    report.heading("1  Şirketin organizasyonu ve faaliyet konusu", level=2)
    report.paragraph(
        "Meridyen Finansal Kiralama A.Ş., 1994 yılında İstanbul'da kuruldu. Şirketin ortaklarının tamamına yakını Meridyen Holding N.V.'dir. "
        "31 Aralık 2024 itibarıyla 412 çalışanı ve 14 şubesi vardır."
    )
    report.heading("2  Muhasebe politikaları", level=2)
    report.paragraph(
        "Finansal tablolar, BDDK Muhasebe ve Finansal Raporlama Mevzuatına göre hazırlanmıştır. Kiralama alacakları, net kiralama yatırımı "
        "üzerinden izlenir. Geciken alacaklara aylık yüzde 4,5 temerrüt faizi uygulanır."
    )
    report.heading("3  Kiralama alacaklarının sektör dağılımı", level=2)
    parts = [receivables * share // 100 for share in SHARES]
    parts[0] += receivables - sum(parts)
    rows = [(name, (tl(part), f"%{share}")) for name, part, share in zip(SECTORS, parts, SHARES, strict=True)]
    report.table(
        "Sektörlere göre dağılım",
        BIN_TL,
        (Column("31 Aralık\n2024", 86), Column("Pay", 60)),
        [*rows, ("Toplam", (tl(receivables), "%100"))],
    )
    report.heading("4  Kredi riski", level=2)
    report.paragraph(
        "90 günden fazla geciken alacaklar takipteki alacaklar hesabına alınır. Takipteki alacaklar için ayrılan karşılık oranı yüzde 74'tür. "
        "Sözleşme, kiracının iki taksiti üst üste ödememesi hâlinde 60 günlük ihtar süresi sonunda feshedilebilir."
    )
    report.heading("5  Kur riski", level=2)
    report.paragraph(
        "Net yabancı para pozisyonu 412.600 bin TL karşılığı açıktır. Türk Lirasının yüzde 10 değer kaybı dönem kârını 41.260 bin TL azaltır."
    )
    report.new_page()
    report.heading("Şubelere göre yeni sözleşmeler")
    rows = []
    for number, city in enumerate(
        ("İstanbul Levent", "İstanbul Kartal", "Ankara", "İzmir", "Bursa", "Adana", "Gaziantep", "Kocaeli", "Konya",
         "Antalya", "Kayseri", "Denizli", "Samsun", "Eskişehir"), start=1,
    ):  # fmt: skip
        rows.append((f"{city} şubesi", (str(900 - number * 47), tl(4_100_000 - number * 214_300))))
    report.table("Şubelere göre yeni sözleşmeler", BIN_TL, (Column("Adet", 60), Column("Tutar", 86)), rows)
    return report.finish(front_pages=1, footer="İstanbul")


def _before_tax(column: int) -> int:
    return sum(int(row[column]) for row in INCOME)


def _profit(column: int) -> int:
    return _before_tax(column) - _before_tax(column) * 30 // 100
