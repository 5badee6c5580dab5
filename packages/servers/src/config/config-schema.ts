import { z } from 'zod'
import type { JsonObject } from '../protocol/message.ts'
import { aggregatorSettings } from './aggregator-settings.ts'
import { serverEntry } from './server-entry.ts'

const file = z.object({
  mcpServers: z.record(z.string(), serverEntry),
  aggregator: aggregatorSettings.optional(),
})

/** The JSON Schema of a configuration file, as written. */
export const configSchema = (): JsonObject =>
  z.toJSONSchema(file, { io: 'input', unrepresentable: 'any' }) as JsonObject
