import { lstat, readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createCode } from '@pith-mcp/code'
import { isInside } from '#base/inside-folder'
import {
  type Declarations,
  type DescribedDeclarations,
  declarationAt,
} from '../libraries/declarations.ts'
import type { PackageReader } from './export-graph.ts'
import { pythonDeclarations } from './python-declarations.ts'
import { typescriptDeclarations } from './typescript-declarations.ts'

/** Of one library; the manual names them. */
export const maxFiles = 1_500
export const maxBytes: number = 2 ** 24
const maxFileBytes = 2 ** 22

/** The exported declarations of a library by the outlines of its files. */
export async function describeDeclarations({
  ecosystem,
  folder,
  modules,
  sources,
  more,
}: Declarations): Promise<DescribedDeclarations> {
  const code = await createCode({ roots: [folder], maxParseBytes: maxFileBytes })
  let files = 0
  let bytes = 0
  let omitted = more
  const reader: PackageReader = {
    code,
    resolve: (from, specifier) => declarationAt(folder, join(dirname(from), specifier)),
    async textOf(file) {
      if (sources && !sources.has(file)) return undefined
      const path = await realpath(join(folder, file)).catch(() => undefined)
      const stats = path && isInside(path, folder) ? await lstat(path) : undefined
      if (!path || !stats?.isFile()) return undefined
      const isOver = files >= maxFiles || stats.size > maxFileBytes || bytes + stats.size > maxBytes
      if (isOver) omitted++
      if (isOver) return undefined
      files++
      bytes += stats.size
      return readFile(path, 'utf8')
    },
  }
  try {
    const read = ecosystem === 'npm' ? typescriptDeclarations : pythonDeclarations
    const { names, notes } = await read(modules, reader)
    const cut = omitted > 0 ? [`Files not read, beyond the limits: ${omitted}.`] : []
    const paths = modules.slice(0, 10).map(({ file }) => file)
    const none = names.length === 0 ? [`No exported names in ${paths.join(', ')}.`] : []
    return { names, notes: [...none, ...notes, ...cut] }
  } finally {
    await code.close()
  }
}
