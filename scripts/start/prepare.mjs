import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { environmentWithPnpm } from '../pnpm-environment.mjs'
import { runStep } from '../run-step.mjs'
import { createDiskUsage } from './disk-usage.mjs'
import { keepPreparation, lastPreparation } from './preparation.mjs'
import { StepFailed } from './step-failed.mjs'

/** Characters of a command's output to keep, from its end. */
const maxOutput = 64_000
/** Milliseconds for measuring the package cache, which may be large. */
const cacheTimeout = 3_000

/**
 * Install and build docs-mcp, which takes a third of the time and disk of all three servers, or all of
 * them. A clone with all packages keeps them. Nothing is done where nothing has changed since.
 *
 * @param fresh Whether to install and build in any case.
 * @param started In milliseconds since 1970.
 * @returns {Promise<{ isAll: boolean, here?: number, cache?: number }>} `here` is what the clone
 *   takes in bytes, and `cache` what was added to the package caches; neither if nothing was done.
 * @throws {StepFailed}
 */
export async function prepare({ all, fresh, started, progress, signal }) {
  const last = fresh ? undefined : lastPreparation({ all })
  if (last) return last
  Object.assign(process.env, await environmentWithPnpm({ progress, signal }))
  const isAll = all || existsSync('apps/code-mcp/node_modules')
  const { isFetched } = await install({ isAll, progress, signal })
  progress.begin(isAll ? 'Building' : 'Building docs-mcp')
  // docs-mcp alone is bundled from the sources of the packages; none of them must be built first.
  const [command, args, cwd] = isAll
    ? ['pnpm', ['exec', 'turbo', 'run', 'build', '--output-logs=errors-only'], '.']
    : [process.execPath, ['bundle.mjs'], 'apps/docs-mcp']
  await run('Building', command, args, { cwd, signal })
  keepPreparation({ isAll })
  const sizeOf = createDiskUsage()
  const here = sizeOf('.')
  const cache = isFetched ? await sizeOfCache(sizeOf, started) : undefined
  return { isAll, here, ...(cache !== undefined && { cache }) }
}

async function install({ isAll, progress, signal }) {
  progress.begin('Installing')
  // What docs-mcp is bundled from is among the dependencies of `scripts`; its own native ones are not.
  const some = ['--prod', '--filter', 'scripts...', '--filter', '@pith-mcp/docs-mcp']
  const args = ['install', '--frozen-lockfile', '--reporter=append-only', ...(isAll ? [] : some)]
  let isFetched = false
  const onLine = (line) => {
    const [resolved, reused, fetched] =
      /^Progress: resolved (\d+), reused (\d+), downloaded (\d+)/
        .exec(line)
        ?.slice(1)
        .map(Number) ?? []
    if (resolved) progress.update(`${reused + fetched} of ${resolved} packages`)
    if (fetched) isFetched = true
    if (/will retry in/i.test(line))
      progress.update('the package registry does not answer; trying again')
  }
  await run('Installing', 'pnpm', args, { signal, onLine })
  return { isFetched }
}

async function run(step, command, args, options) {
  const { code, output } = await capture(command, args, options)
  options.signal.throwIfAborted()
  if (code !== 0) throw new StepFailed(step, [command, ...args].join(' '), code, output)
}

/** Run a command without showing its output. */
async function capture(command, args, { onLine = () => {}, ...options } = {}) {
  let output = ''
  let rest = ''
  const code = await runStep(command, args, {
    ...options,
    // With CI=true no prompt appears, which would wait forever unseen.
    env: { ...process.env, CI: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
    onChunk(chunk) {
      output = (output + chunk).slice(-maxOutput)
      const lines = (rest + chunk).split('\n')
      rest = lines.pop()
      for (const line of lines) onLine(line)
    },
  })
  return { code, output }
}

/** Bytes added to the caches of pnpm and npm; npm's contains pnpm itself. */
async function sizeOfCache(sizeOf, since) {
  const { output } = await capture('pnpm', ['store', 'path'])
  const folders = [output.trim(), process.env.npm_config_cache ?? join(homedir(), '.npm')]
  const sizes = folders.map((folder) => sizeOf(folder, { since, timeout: cacheTimeout }))
  return sizes.includes(undefined) ? undefined : sizes[0] + sizes[1]
}
