"""The engine's own words, English and Turkish: frames around values, replies, hints. No document text here."""

from decimal import ROUND_HALF_UP, Decimal

from apps.finance.units import Scale

_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}

_TEXTS: dict[str, tuple[str, str]] = {
    "greeting": (
        "Hello. Ask about the documents in scope and I answer with the cited page.",
        "Merhaba. Kapsamdaki belgeler hakkında sorun; yanıtı, alıntılanan sayfasıyla veririm.",
    ),
    "thanks": ("You are welcome.", "Rica ederim."),
    "help": (
        "I find figures and passages in your documents, compute simple ratios and changes, and cite the page for every "
        "statement. I quote and compute, I do not judge. Example: “What were total assets in fiscal 2021?”",
        "Belgelerinizde rakam ve bölümleri bulur, basit oran ve değişimleri hesaplar, her ifadenin sayfasını gösteririm. "  # noqa: E501
        "Alıntılar ve hesaplarım, yargıda bulunmam. Örnek: “2021 yılında toplam varlıklar ne kadardı?”",
    ),
    "empty": (
        "Please type a question, for example: “What was total revenue in fiscal 2021?”",
        "Lütfen bir soru yazın, örneğin: “2021 yılında hasılat ne kadardı?”",
    ),
    "too_long": (
        "The question is longer than {limit} characters. Please shorten it.",
        "Soru {limit} karakterden uzun. Lütfen kısaltın.",
    ),
    "no_judgement": ("I quote and compute, I do not judge.", "Alıntılar ve hesaplarım, yargıda bulunmam."),
    "value": ("{subject}, {period}: {value}", "{subject}, {period}: {value}"),
    "value_in": ("{subject}, {period}: {value} (“{document}”)", "{subject}, {period}: {value} (“{document}”)"),
    "value_of": ("{owner} – {subject}, {period}: {value}", "{owner} – {subject}, {period}: {value}"),
    "formula_of": ("{owner} – {subject}, {period}: {value} ({formula}).", "{owner} – {subject}, {period}: {value} ({formula})."),  # noqa: E501
    "value_no_period": ("{subject}: {value}", "{subject}: {value}"),
    "difference": (
        "Change in {subject} from {first} to {second}: {value} ({b} − {a}).",
        "{subject}, {first} – {second} değişimi: {value} ({b} − {a}).",
    ),
    "difference_pair": (
        "{subject} less {other}, {period}: {value} ({a} − {b}).",
        "{subject} ile {other} farkı, {period}: {value} ({a} − {b}).",
    ),
    "percent_change": (
        "Change in {subject} from {first} to {second}: {value} (({b} − {a}) / {base}).",
        "{subject}, {first} – {second} değişim oranı: {value} (({b} − {a}) / {base}).",
    ),
    "average": ("Average of {subject}, {period}: {value} ({formula}).", "{subject} ortalaması, {period}: {value} ({formula})."),  # noqa: E501
    "sum": ("Sum of {subject}, {period}: {value} ({formula}).", "{subject} toplamı, {period}: {value} ({formula})."),
    "share": (
        "{subject} as a share of {other}, {period}: {value} ({a} / {b}).",
        "{subject} / {other} oranı, {period}: {value} ({a} / {b}).",
    ),
    "ratio": (
        "{subject} to {other}, {period}: {value} ({a} / {b}).",
        "{subject} / {other}, {period}: {value} ({a} / {b}).",
    ),
    "formula": ("{subject}, {period}: {value} ({formula}).", "{subject}, {period}: {value} ({formula})."),
    "highest": ("Highest {subject}: {period}, {value}.", "En yüksek {subject}: {period}, {value}."),
    "lowest": ("Lowest {subject}: {period}, {value}.", "En düşük {subject}: {period}, {value}."),
    "missing": ("No passage states {what}.", "Hiçbir bölümde şu bilgi bulunamadı: {what}."),
    "missing_period": (
        "{what} was found, but not for {period}.",
        "{what} bulundu, ancak {period} için değil.",
    ),
    "missing_for": ("No passage states {what} for {owner}.", "{owner} için {what} bulunamadı."),
    "missing_part": ("Not found: {what}.", "Bulunamadı: {what}."),
    "stepped_in": (
        "{failed} did not answer; this answer is by “{other}”.",
        "{failed} yanıt vermedi; bu yanıt “{other}” tarafından yazıldı.",
    ),
    "missing_currency": (
        "An amount in {asked}: the documents print it in {printed}, and no rate is given to convert it.",
        "{asked} cinsinden tutar: belgelerde {printed} olarak yazılı, çevirmek için kur verilmemiş.",
    ),
    "missing_difference": (
        "A difference: the figures are in different currencies.",
        "Fark: rakamlar farklı para birimlerinde.",
    ),
    "of_name": ("{owner}: {label}", "{owner}: {label}"),
    "missing_calendar": (
        "The documents state fiscal years that do not end in December; figures for the calendar year {period} cannot be given.",  # noqa: E501
        "Belgelerdeki mali yıllar aralıkta bitmiyor; {period} takvim yılı için rakam verilemez.",
    ),
    "missing_entity": ("No document in scope names {what}.", "Kapsamdaki hiçbir belgede {what} geçmiyor."),
    "missing_nothing": ("No passage in scope touches the question.", "Kapsamda soruyla ilgili bir bölüm bulunamadı."),
}  # fmt: skip


def say(name: str, language: str, **values: str) -> str:
    """The frame's text in the question's language."""
    english, turkish = _TEXTS[name]
    return (turkish if language == "tr" else english).format(**values)


def number(value: Decimal, decimals: int, language: str) -> str:
    """The number with the language's separators and a true minus sign."""
    rounded = value.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)
    text = f"{abs(rounded):,.{decimals}f}"
    if language == "tr":
        text = text.replace(",", "\0").replace(".", ",").replace("\0", ".")
    return ("−" if rounded < 0 else "") + text


def amount(value: Decimal, scale: Scale, unit: str, decimals: int, language: str) -> str:
    """The value (in whole units) worded with its scale and unit: "$59,268 million", "362.638 bin TL", "%5,4"."""
    printed = value / scale.value
    if unit == "percent":
        text = number(printed, decimals, language)
        negative = text.startswith("−")
        bare = text.removeprefix("−")
        return ("−" if negative else "") + (f"%{bare}" if language == "tr" else f"{bare}%")
    text = number(printed, decimals, language)
    word = scale.word(language)
    if unit == "times":
        return f"{text}x" if language == "en" else f"{text} kat"
    if unit in _SIGNS and language == "en":
        text = ("−" if text.startswith("−") else "") + _SIGNS[unit] + text.removeprefix("−")
        return f"{text} {word}".strip()
    code = {"TRY": "TL"}.get(unit, unit)
    return " ".join(part for part in (text, word, code) if part)
