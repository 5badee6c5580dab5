#!/usr/bin/env node
import './inlining.ts'
import type { IndexProgress } from '@pith-mcp/docs'
import { runProgram, serve } from '@pith-mcp/server-kit/run'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { checkSource } from './check-source.ts'
import type { Outcome } from './cli/open-source.ts'
import { type Chore, type Config, isChore, parseConfig } from './config.ts'
import { flagHint } from './flag-hint.ts'
import { serverDocs } from './open-docs.ts'
import { createServer } from './server.ts'
import type { Settings } from './settings.ts'
import type { DocsTools } from './tools/tool.ts'
import { version } from './version.ts'

const name = 'docs-mcp'

async function main(): Promise<void> {
  const config = parseConfig(process.argv.slice(2))
  await checkSites(config)
  switch (config.command) {
    case 'help':
      process.stdout.write(await (await import('./cli/usage.ts')).docsHelp(config.topic))
      break
    case 'version':
      process.stdout.write(`${version}\n`)
      break
    case 'serve':
      await serveDocs(config.settings)
      break
    default: {
      if (isChore(config.command)) return doChore(config, config.command)
      const { runVerb } = await import('./cli/run-verb.ts')
      const { createProgressLine } = await import('./cli/show-progress.ts')
      const line = createProgressLine()
      const show = (progress: IndexProgress) =>
        progress.done === progress.total ? line.clear() : line.show(progress)
      finish(await runVerb(config.command, config, show))
    }
  }
}

/** Invalid settings end the server at startup, not at its first call. */
async function checkSites({ command, settings }: Config): Promise<void> {
  const isInfo = command === 'help' || command === 'version'
  if (isInfo || Object.keys(settings.sites).length === 0) return
  const { parseSiteSettings } = await import('@pith-mcp/docs')
  try {
    parseSiteSettings(settings.sites)
  } catch (error) {
    const { message, remedy } = error as Error & { remedy?: string }
    throw new UsageError(`sites: ${message} ${remedy ?? ''}`.trim())
  }
}

async function doChore(config: Config, chore: Chore): Promise<void> {
  const { chores } = await import('./cli/run-chore.ts')
  const stopping = new AbortController()
  process.once('SIGINT', () => stopping.abort())
  process.once('SIGTERM', () => stopping.abort())
  finish(await chores[chore](config, stopping.signal))
}

function finish({ text, isOk }: Outcome): void {
  process.stdout.write(`${text}\n`)
  process.exitCode = isOk ? 0 : 1
}

async function serveDocs(settings: Settings): Promise<void> {
  const { sources, offline, structuredContent, alwaysLoad, site } = settings
  for (const source of sources) await checkSource(source)
  const library = serverDocs(settings, sources)
  const deps = {
    openDocs: library.open,
    openFor: library.openFor,
    // A site of `--site` makes the search available even if other pages may not be read.
    sources: [...sources, ...site],
    hasProject: library.hasProject,
    offline,
    structuredContent,
    alwaysLoad,
    compat: await compatOf(settings),
  }
  // Without pg, with a wrong URL or file, the server ends now, not at its first call.
  if (settings.databaseUrl || settings.cookies) await library.open()
  const create = (onError: (error: unknown) => void) => createServer({ ...deps, onError })
  await serve({ name, settings, library, createServer: create })
}

/** Loaded only with `--compat`. */
async function compatOf({ compat, site }: Settings): Promise<DocsTools | undefined> {
  if (compat === undefined) return undefined
  const { compatTools } = await import('./compat/compat-tools.ts')
  return compatTools(compat === 'aws' && site.includes('aws-cn') ? 'aws-cn' : compat)
}

void runProgram(name, main, flagHint)
