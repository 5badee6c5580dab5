import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { open as openZip } from 'yauzl'
import { DocsError, quoteValue } from '#formats/docs-error'
import { formatOfFile } from '#formats/page-format'

const maxFiles = 100_000
const maxBytes = 4 * 2 ** 30
const maxPageBytes = 64 * 2 ** 20

export const isArchive = (path: string): boolean => /\.(?:zip|tar\.gz|tgz|tar)$/i.test(path)

/**
 * Unpack the pages of a documentation build into a folder. An unchanged archive that is already
 * unpacked is reused. Links, names that lead outside the folder and files that are not pages are
 * skipped.
 *
 * `most`: bytes of all files of a .tar, also of those that are skipped.
 *
 * @throws {DocsError} `unsupported_type` if the file is not an archive, `too_large` past 100,000
 * pages or 4 GB.
 */
export async function unpack(archive: string, into: string, most?: number): Promise<string> {
  const { mtimeMs, size } = await stat(archive)
  const folder = join(into, `${mtimeMs}-${size}`)
  await removeOld(into, folder)
  if (await stat(folder).catch(() => undefined)) return folder
  await mkdir(into, { recursive: true })
  const partial = await mkdtemp(join(into, 'partial-'))
  const writer = createWriter(archive, partial)
  try {
    if (/\.zip$/i.test(archive)) await readZip(archive, writer)
    else await readTar(archive, writer, most)
    // Renamed only when complete; if two processes unpack at the same time, the first one wins.
    await rename(partial, folder).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
      await rm(partial, { recursive: true, force: true })
    })
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    if (error instanceof DocsError) throw error
    throw new DocsError(
      'unsupported_type',
      `${quoteValue(archive)} could not be unpacked: ${error instanceof Error ? error.message : error}.`,
      'Pass a .zip, .tar or .tar.gz archive of pages, or unpack it and pass the folder.',
      { cause: error },
    )
  }
  return folder
}

/** Milliseconds after which folders of former versions and of killed processes are removed. */
const cacheMs = 24 * 60 * 60_000

async function removeOld(into: string, folder: string): Promise<void> {
  for (const name of await readdir(into).catch(() => [])) {
    const path = join(into, name)
    const stats = await stat(path).catch(() => undefined)
    if (path !== folder && stats && Date.now() - stats.mtimeMs > cacheMs)
      await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

type Writer = ReturnType<typeof createWriter>

function createWriter(archive: string, folder: string) {
  let files = 0
  let bytes = 0
  return {
    /** Where to write an entry; undefined if the entry is skipped. */
    placeOf(name: string, size: number): string | undefined {
      const path = join(folder, name)
      if (relative(folder, path).startsWith('..') || !formatOfFile(name)) return undefined
      if (size > maxPageBytes) return undefined
      files++
      bytes += size
      if (files > maxFiles || bytes > maxBytes) throw tooLarge(archive)
      return path
    },
    async write(path: string, content: AsyncIterable<Buffer>): Promise<void> {
      let size = 0
      await mkdir(dirname(path), { recursive: true }).catch(ignoreNames)
      await pipeline(
        content,
        async function* (parts: AsyncIterable<Buffer>) {
          for await (const part of parts) {
            size += part.length
            // The sizes declared in an archive are not trusted.
            if (size > maxPageBytes) throw tooLarge(archive)
            yield part
          }
        },
        createWriteStream(path),
      ).catch(ignoreNames)
    },
  }
}

/** A name that the file system rejects does not prevent the other files from being unpacked. */
function ignoreNames(error: NodeJS.ErrnoException): void {
  if (!/^(?:ENAMETOOLONG|ENOTDIR|EISDIR|EEXIST|EINVAL)$/.test(error.code ?? '')) throw error
}

async function readTar(archive: string, writer: Writer, most?: number): Promise<void> {
  const entries = extract()
  const unzip = /\.tar$/i.test(archive) ? new PassThrough() : createGunzip()
  const bounded = async function* (parts: AsyncIterable<Buffer>) {
    let size = 0
    for await (const part of parts) {
      size += part.length
      if (most !== undefined && size > most) throw tooLarge(archive, most)
      yield part
    }
  }
  const reading = pipeline(createReadStream(archive), unzip, bounded, entries)
  const writing = (async () => {
    for await (const entry of entries) {
      const { name, type, size = 0 } = entry.header
      const path = type === 'file' ? writer.placeOf(name, size) : undefined
      if (path !== undefined) await writer.write(path, entry as AsyncIterable<Buffer>)
      entry.resume()
    }
  })()
  await Promise.all([reading, writing])
}

function readZip(archive: string, writer: Writer): Promise<void> {
  return new Promise((resolve, reject) => {
    // yauzl's own name check would reject the whole archive; here only the name that leads outside
    // is skipped.
    openZip(archive, { lazyEntries: true, decodeStrings: false }, (error, zip) => {
      if (error) return reject(error)
      zip.on('error', reject)
      zip.on('end', () => resolve())
      zip.on('entry', (entry) => {
        const unixType = (entry.externalFileAttributes >>> 28) & 0xf
        const isLink = unixType === 0xa
        const name = String(entry.fileName).replaceAll('\\', '/')
        const isFile = !name.endsWith('/') && !isLink
        let path: string | undefined
        try {
          path = isFile ? writer.placeOf(name, entry.uncompressedSize) : undefined
        } catch (tooMuch) {
          zip.close()
          return reject(tooMuch)
        }
        if (path === undefined) return zip.readEntry()
        const place = path
        zip.openReadStream(entry, (failure, content) => {
          if (failure) return reject(failure)
          writer.write(place, content).then(() => zip.readEntry(), reject)
        })
      })
      zip.readEntry()
    })
  })
}

function tooLarge(archive: string, most: number = maxBytes): DocsError {
  return new DocsError(
    'too_large',
    `${quoteValue(archive)} contains more than ${maxFiles.toLocaleString('en-US')} pages or ${most / 2 ** 30} GB.`,
    'Unpack the part that you need, and pass its folder as the source.',
  )
}
