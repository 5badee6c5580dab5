import { LRUCache } from 'lru-cache'
import {
  type Era,
  isJsonObject,
  type JsonObject,
  metaKeys,
  rpcCodes,
} from '#servers/protocol/message'

export type Id = string | number

/** A request that has one answer and needs nothing else of its connection. */
export interface PlainRequest {
  id: Id
  method: string
  /** Without the members of 2026 that are not for handlers. */
  params: JsonObject
  meta: JsonObject | undefined
  envelope: JsonObject | undefined
}

/**
 * Methods that are answered without the SDK, which matches each message against several schemas:
 * that takes as long as everything else in a short call. `tools/list` is encoded by revision.
 */
const plainMethods = new Set([
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'completion/complete',
])
const reserved = 'io.modelcontextprotocol/'
const retryKeys = ['inputResponses', 'requestState']
const envelopeKeys: readonly string[] = [
  metaKeys.version,
  metaKeys.clientInfo,
  metaKeys.capabilities,
  metaKeys.logLevel,
]

/** Characters of an envelope that is remembered. */
const maxEnvelope = 4_096
const maxEnvelopes = 1_000

/** Reads messages that do not need the SDK. */
export type PlainRequests = ReturnType<typeof createPlainRequests>

export function createPlainRequests() {
  /** Envelopes of 2026 that the SDK has accepted: equal ones are not checked again. */
  const envelopes = new LRUCache<string, JsonObject>({ max: maxEnvelopes })
  const keyOf = (meta: JsonObject): string =>
    // A member that is null is not one that is absent.
    JSON.stringify(envelopeKeys.map((key) => (key in meta ? [meta[key]] : 0)))
  return {
    accept(envelope: JsonObject): void {
      const key = keyOf(envelope)
      if (key.length <= maxEnvelope) envelopes.set(key, envelope)
    },
    /** Undefined for a message that is left to the SDK, which also refuses invalid ones. */
    read(message: unknown, era: Era): PlainRequest | undefined {
      if (!isJsonObject(message) || message['jsonrpc'] !== '2.0') return undefined
      const { id, method, params = {} } = message
      if (!isId(id) || typeof method !== 'string' || !plainMethods.has(method)) return undefined
      if (!isJsonObject(params) || retryKeys.some((key) => key in params)) return undefined
      const { _meta: meta = {}, ...rest } = params
      if (!isJsonObject(meta)) return undefined
      const isModern = era === 'modern'
      const envelope = isModern ? envelopes.get(keyOf(meta)) : undefined
      if (isModern && envelope === undefined) return undefined
      const entries = Object.entries(meta).filter(
        ([key]) => !(isModern && envelopeKeys.includes(key)),
      )
      if (entries.some(([key]) => key.startsWith(reserved))) return undefined
      const ownMeta = entries.length > 0 ? Object.fromEntries(entries) : undefined
      const plainParams = isModern ? { ...rest, ...(ownMeta && { _meta: ownMeta }) } : params
      return { id, method, params: plainParams, meta: ownMeta, envelope }
    },
  }
}

/** As the SDK tells them: the code of 2025 for a missing resource is that of 2026. */
export function errorOf(error: { code?: unknown; message?: unknown; data?: unknown }): JsonObject {
  const { code, message, data } = error
  const isCode = Number.isSafeInteger(code)
  return {
    code: isCode ? (code === resourceNotFound ? rpcCodes.invalidParams : code) : rpcCodes.internal,
    message: message ?? 'Internal error',
    ...(data !== undefined && { data }),
  }
}

const resourceNotFound = -32002

export const isId = (value: unknown): value is Id =>
  typeof value === 'string' || Number.isSafeInteger(value)
