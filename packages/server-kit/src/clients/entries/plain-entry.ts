import type { Table } from '../../files/table.ts'
import type { Launch } from './launch.ts'

/** The entry of most clients. */
export const plainEntry = ({ command, args }: Launch): Table => ({ command, args: [...args] })

/** The entry with a transport type. */
export const stdioEntry = (launch: Launch): Table => ({ type: 'stdio', ...plainEntry(launch) })
