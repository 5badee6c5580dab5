#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { findingsText, runProgram, serve } from '@pith-mcp/server-kit/run'
import { unknownCommand } from '@pith-mcp/server-kit/settings'
import { type Config, commands, parseConfig } from './config.ts'
import { serverCode } from './open-code.ts'
import { createServer } from './server.ts'
import { version } from './version.ts'

const name = 'code-mcp'

async function main(): Promise<void> {
  const config = parseConfig(process.argv.slice(2))
  switch (config.command) {
    case 'help':
      process.stdout.write(await (await import('./cli/usage.ts')).codeHelp(config.topic))
      break
    case 'version':
      process.stdout.write(`${version}\n`)
      break
    case 'serve':
      await serveCode(config)
      break
    case 'setup':
    case 'add':
    case 'remove': {
      const { addClient, removeClient, setUpClients } = await import('./cli/add-client.ts')
      const run = { setup: setUpClients, add: addClient, remove: removeClient }[config.command]
      process.stdout.write(`${await run(config)}\n`)
      break
    }
    case 'index':
      process.stdout.write(
        `${await (await import('./cli/index-folders.ts')).indexFolders(config)}\n`,
      )
      break
    case 'doctor': {
      const findings = await (await import('./cli/doctor.ts')).diagnose(config)
      process.stdout.write(`${findingsText(findings)}\n`)
      process.exitCode = findings.every(({ isOk }) => isOk) ? 0 : 1
      break
    }
    default: {
      const { text, isFound } = await (await import('./cli/ask.ts')).ask(config.command, config)
      process.stdout.write(`${text}\n`)
      process.exitCode = isFound ? 0 : 1
    }
  }
}

async function serveCode({ settings, positionals, roots }: Config): Promise<void> {
  // Missing folders end the server at startup, not at its first call.
  const [word = ''] = positionals
  if (/^[a-z-]+$/i.test(word) && !existsSync(word))
    throw await unknownCommand(word, { program: name, commands }, 'folder')
  const library = serverCode(settings, [...positionals, ...roots], process.env)
  const { locale, structuredContent, alwaysLoad } = settings
  const compat = settings.compat && (await import('./compat/paging-tools.ts')).pagingTools
  await serve({
    name,
    settings,
    library,
    createServer: (onError) =>
      createServer({
        openCode: library.open,
        locale,
        compat,
        structuredContent,
        alwaysLoad,
        onError,
      }),
  })
}

void runProgram(name, main)
