import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { JsonObject } from '../../../servers/src/protocol/message.ts'

/** What is written to a client over HTTP, and whether it is still there. */
export class FakeResponse extends EventEmitter {
  status: number | undefined
  headers: Record<string, unknown> = {}
  text = ''
  writableEnded = false

  writeHead(status: number, headers: Record<string, unknown>): void {
    Object.assign(this, { status, headers })
  }

  write(text: string): void {
    if (!this.writableEnded) this.text += text
  }

  end(text = ''): void {
    this.write(text)
    this.writableEnded = true
    this.emit('close')
  }

  /** The client disconnects. */
  destroy(): void {
    this.emit('close')
  }

  get isStream(): boolean {
    return this.headers['content-type'] === 'text/event-stream'
  }

  /** Of a stream, those with data. */
  get messages(): JsonObject[] {
    const parts = this.isStream
      ? [...this.text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => data)
      : [this.text]
    return parts.filter(Boolean).map((part) => JSON.parse(`${part}`))
  }

  /** The ids of its events, in order. */
  get ids(): string[] {
    return [...this.text.matchAll(/^id: (\d+)$/gm)].map(([, id = '']) => id)
  }

  get response(): ServerResponse {
    return this as unknown as ServerResponse
  }
}
