import { lookUpMarker } from '../config/expand-variables.ts'
import type { ServerConfig } from '../config/server-config.ts'
import { isJsonObject } from '../protocol/message.ts'

/** Resolves a reference to its value. Rejections name the reference and never contain a value. */
export type SecretSource = (reference: string, signal: AbortSignal) => Promise<string>

/** By the prefix before the colon: `${file:…}`. */
export type SecretSources = Readonly<Record<string, SecretSource>>

const reference = new RegExp(
  `${lookUpMarker}(file|keychain|command):([^${lookUpMarker}]*)${lookUpMarker}`,
  'g',
)

/** Replaces the references in a server's configuration; `values` are the secrets. */
export async function lookUpSecrets<S extends ServerConfig>(
  server: S,
  sources: SecretSources,
  signal: AbortSignal,
): Promise<{ server: S; values: string[] }> {
  const values: string[] = []
  const lookUps = new Map<string, Promise<string>>()

  async function lookUp(kind: string, name: string): Promise<string> {
    const source = Object.hasOwn(sources, kind) ? sources[kind] : undefined
    if (source === undefined)
      throw new Error(`\${${kind}:…} cannot be looked up: there is no such source of secrets`)
    const value = await source(name, signal)
    if (value === '') throw new Error(`the value of \${${kind}:…} is empty`)
    values.push(value)
    return value
  }

  async function fill(text: string): Promise<string> {
    const parts = await Promise.all(
      [...text.matchAll(reference)].map(([match, kind = '', name = '']) => {
        const looked = lookUps.get(match) ?? lookUp(kind, name)
        lookUps.set(match, looked)
        return looked
      }),
    )
    let at = 0
    return text.replace(reference, () => parts[at++] ?? '')
  }

  async function fillIn(value: unknown): Promise<unknown> {
    if (typeof value === 'string') return fill(value)
    if (Array.isArray(value)) return Promise.all(value.map(fillIn))
    if (!isJsonObject(value)) return value
    const members = Object.entries(value).map(async ([key, member]) => [key, await fillIn(member)])
    return Object.fromEntries(await Promise.all(members))
  }

  // Each account looks up its own when it starts.
  const { accounts, ...base } = server
  return { server: { ...((await fillIn(base)) as S), accounts }, values }
}
