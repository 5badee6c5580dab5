import { readVersion } from '@pith-mcp/server-kit/run'

export const version: string = readVersion(import.meta.url)
