"""Servers that speak the OpenAI chat-completions wire format: vLLM, Ollama, llama.cpp, OpenAI itself.

Streams, so that a stop is noticed and a silent server is told from a slow one. One retry layer: the SDK's.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from apps.core.errors import ProviderError
from apps.providers.chat import FAILURES, Check, ModelEndpoint, ModelReply
from apps.providers.http import GuardedClient

RETRIES = 1
MOST_REPLY_BYTES = 4_000_000  # a stream says every word in some hundred bytes


class OpenAIChat:
    """One endpoint. Heavy imports happen with the first instance."""

    def __init__(self, endpoint: ModelEndpoint) -> None:
        from langchain_openai import ChatOpenAI

        self._endpoint = endpoint
        self._client = GuardedClient(timeout_s=endpoint.timeout_s)
        self._model = ChatOpenAI(
            model=endpoint.model,
            base_url=endpoint.base_url,
            api_key=endpoint.api_key or "none",  # type: ignore[arg-type]  # a plain string is accepted
            use_responses_api=False,
            stream_usage=True,
            max_retries=RETRIES,
            timeout=endpoint.timeout_s,
            http_client=self._client,
        )

    def complete(self, *, system: str, user: str, most_tokens: int, check: Check) -> ModelReply:
        """See ChatModel.complete."""
        pieces: list[str] = []
        finish, name = "", ""
        tokens: tuple[int | None, int | None] = (None, None)
        bounds = self._client.bounded(total_s=self._endpoint.deadline_s, most_bytes=MOST_REPLY_BYTES, check=check)
        with _translated(), bounds:
            # max_tokens in the body: servers older than max_completion_tokens know no other name
            stream = self._model.stream([("system", system), ("human", user)], extra_body={"max_tokens": most_tokens})
            for chunk in stream:
                pieces.append(chunk.text)
                about = chunk.response_metadata
                finish = about.get("finish_reason") or finish
                name = about.get("model_name") or name
                if chunk.usage_metadata is not None:
                    tokens = (chunk.usage_metadata["input_tokens"], chunk.usage_metadata["output_tokens"])
        if finish == "content_filter":
            raise failure("model_refused", is_retryable=False)
        if finish == "length":
            raise failure("model_truncated")
        if not finish:
            raise failure("model_broken", detail="the stream ended without a finish reason")
        if not "".join(pieces).strip():  # the library leaves the words of a refusal out of a stream
            raise failure("model_refused", detail="an empty reply", is_retryable=False)
        return ModelReply("".join(pieces), name or self._endpoint.model, *tokens)

    def close(self) -> None:
        self._client.close()


@contextmanager
def _translated() -> Iterator[None]:
    """The SDK's errors as ProviderError; the vendor's words stay in the private detail."""
    import httpx2
    import openai

    try:
        yield
    except (openai.AuthenticationError, openai.PermissionDeniedError) as exc:
        raise failure("model_refused_key", detail=str(exc), is_retryable=False) from exc
    except openai.NotFoundError as exc:
        raise failure("model_unknown", detail=str(exc), is_retryable=False) from exc
    except openai.RateLimitError as exc:
        raise failure("model_busy", detail=str(exc)) from exc
    except (openai.APITimeoutError, httpx2.TimeoutException) as exc:
        raise failure("model_slow", detail=str(exc)) from exc
    except openai.APIConnectionError as exc:
        cause = _cause(exc)
        if cause is not None:
            raise cause from exc
        raise failure("model_unreachable", detail=f"{exc}: {exc.__cause__}") from exc
    except httpx2.HTTPError as exc:
        raise failure("model_broken", detail=str(exc)) from exc
    except openai.APIStatusError as exc:
        raise failure("model_failed", detail=f"{exc.status_code} {exc}", is_retryable=exc.status_code >= 500) from exc
    except openai.APIError as exc:
        raise failure("model_failed", detail=str(exc)) from exc
    except ProviderError as exc:
        if exc.code in ("reply_too_large", "reply_packed"):
            raise failure("model_broken", detail=exc.detail, is_retryable=False) from exc
        raise
    except (ValueError, TypeError, KeyError, AttributeError) as exc:  # a page or null where choices should be
        raise failure("model_broken", detail=f"{type(exc).__name__}: {exc}") from exc


def _cause(exc: BaseException | None) -> ProviderError | None:
    """A refusal of our own door under the SDK's connection error."""
    while exc is not None:
        if isinstance(exc, ProviderError):
            return exc
        exc = exc.__cause__ or exc.__context__
    return None


def failure(code: str, *, detail: str = "", **more: Any) -> ProviderError:  # Any: ProviderError's own arguments
    return ProviderError(FAILURES[code], code=code, detail=detail[:400], **more)
