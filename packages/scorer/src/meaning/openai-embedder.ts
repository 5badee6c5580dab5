import type { Embed } from './create-meaning.ts'

/** Where a model answers, and its name. */
export interface EmbeddingEndpoint {
  /** URL of the API, with or without `/embeddings`: `http://localhost:11434/v1`. */
  url: string
  model: string
  apiKey?: string | undefined
  fetch?: typeof globalThis.fetch
}

const maxBytes = 64 * 1024 * 1024

/** For any endpoint with OpenAI's embeddings API, such as Ollama, vLLM or LM Studio. */
export function createOpenAiEmbedder({
  url,
  model,
  apiKey,
  fetch = globalThis.fetch,
}: EmbeddingEndpoint): Embed {
  const address = /\/embeddings\/?$/.test(url) ? url : `${url.replace(/\/$/, '')}/embeddings`
  return async (texts, signal) => {
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ model, input: texts }),
      redirect: 'error',
      signal,
    })
    if (!response.ok) {
      await response.body?.cancel()
      throw new Error(`${new URL(address).host} answered with status ${response.status}`)
    }
    const body: unknown = JSON.parse(await textOf(response))
    const { data } = (body ?? {}) as { data?: { index?: number; embedding: number[] }[] }
    if (!Array.isArray(data) || data.length !== texts.length)
      throw new Error(`${new URL(address).host} did not return a vector for each text`)
    return data
      .sort((one, other) => (one.index ?? 0) - (other.index ?? 0))
      .map(({ embedding }) => Float32Array.from(embedding))
  }
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += (part as Uint8Array).length
    if (bytes > maxBytes) throw new Error(`the answer has more than ${maxBytes} bytes`)
    text += decoder.decode(part as Uint8Array, { stream: true })
  }
  return text + decoder.decode()
}
