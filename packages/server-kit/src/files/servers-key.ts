import type { Table } from '#base/table'

/** The key of the servers in a configuration file. */
export const serversKeyOf = (data: Table): string =>
  Object.hasOwn(data, 'servers') ? 'servers' : 'mcpServers'
