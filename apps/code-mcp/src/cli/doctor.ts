import { cacheProblem, type Finding, nodeFinding } from '@pith-mcp/server-kit/run'
import { cacheFolderOf, UsageError } from '@pith-mcp/server-kit/settings'
import { amount } from '@pith-mcp/server-kit/tools'
import type { Config } from '../config.ts'
import { openCode } from '../open-code.ts'
import { existingRoots } from '../roots.ts'
import { version } from '../version.ts'

/** Check the requirements of the server, and the folders that it would serve. */
export async function diagnose(config: Config): Promise<Finding[]> {
  return [nodeFinding('code-mcp', version), await cache(config), await folders(config)]
}

async function cache({ settings }: Config): Promise<Finding> {
  const folder = cacheFolderOf('code-mcp', settings.cache, process.env)
  if (folder === undefined) return { isOk: true, text: 'no index: every search reads the files' }
  return (await cacheProblem(folder)) ?? { isOk: true, text: `index in ${folder}` }
}

/** The folders pass if they have a file. */
async function folders({ positionals, roots, settings }: Config): Promise<Finding> {
  try {
    const served = existingRoots([...positionals, ...roots], process.env)
    const code = await openCode(settings, served, { fillsIndex: false })
    try {
      const { total } = await code.findFiles('*')
      const text = `${served.join(', ')}: ${amount(total, 'file')}`
      return { isOk: total > 0, text: total > 0 ? text : `${text}; pass the folder of your source` }
    } finally {
      await code.close()
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { isOk: false, text: error.message }
  }
}
