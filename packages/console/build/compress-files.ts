import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = /\.(html|js|css|svg|txt)$/

/** Writes a `.br` and a `.gz` next to each text file of the build, and prints the sizes. */
export function compressFiles(): Plugin {
  let folder = ''
  return {
    name: 'compress-files',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir)
    },
    closeBundle() {
      for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
        if (!compressible.test(path)) continue
        const bytes = readFileSync(join(folder, path))
        const br = brotliCompressSync(bytes, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: 11,
            [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
          },
        })
        writeFileSync(join(folder, `${path}.br`), br)
        writeFileSync(join(folder, `${path}.gz`), gzipSync(bytes, { level: 9 }))
        const kilobytes = (count: number) => `${(count / 1000).toFixed(1)} kB`.padStart(10)
        console.log(`${path.padEnd(48)}${kilobytes(bytes.length)}${kilobytes(br.length)} br`)
      }
    },
  }
}
