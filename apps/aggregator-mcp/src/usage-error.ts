export { UsageError } from '@pith-mcp/server-kit/settings'
