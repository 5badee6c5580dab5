import { isFields } from '../../protocol/message.ts'
import type { Embed } from './meaning-search.ts'

export interface EmbeddingEndpoint {
  /** Of the API, with or without `/embeddings` at its end: `http://localhost:11434/v1`. */
  url: string
  model: string
  apiKey?: string | undefined
  fetch?: typeof globalThis.fetch
}

const mostBytes = 64 * 1024 * 1024

/** Any endpoint with the embeddings API of OpenAI, such as Ollama, vLLM or LM Studio. */
export function embedBy({
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
      throw new Error(`${new URL(address).host} answered with ${response.status}`)
    }
    const body: unknown = JSON.parse(await textOf(response))
    const data = isFields(body) ? body['data'] : undefined
    if (!Array.isArray(data) || data.length !== texts.length)
      throw new Error(`${new URL(address).host} gave no vector for each text`)
    return data
      .filter(isFields)
      .sort((one, other) => Number(one['index'] ?? 0) - Number(other['index'] ?? 0))
      .map(({ embedding }) => Float32Array.from(embedding as number[]))
  }
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += (part as Uint8Array).length
    if (bytes > mostBytes) throw new Error(`more than ${mostBytes} bytes`)
    text += decoder.decode(part as Uint8Array, { stream: true })
  }
  return text + decoder.decode()
}
