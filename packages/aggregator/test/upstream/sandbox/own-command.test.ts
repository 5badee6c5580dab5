import { afterEach, expect, test } from 'vitest'
import { describeSandbox } from '../../../../sandbox/src/describe-sandbox.ts'
import { inSandbox } from '../../../../sandbox/src/in-sandbox.ts'
import { sandboxOf } from '../../../../sandbox/src/sandbox-of.ts'
import { readConfig } from '../../../../servers/src/config/read-config.ts'
import { startTrying, type Trying } from './try-in-sandbox.ts'

let trying: Trying | undefined
afterEach(() => trying?.stop())

async function launchOf(entry: object, environment: Record<string, string> = {}) {
  const text = JSON.stringify({ mcpServers: { it: { command: 'serve', args: ['-x'], ...entry } } })
  const { servers } = await readConfig(text, environment)
  const [server] = servers
  if (server?.type !== 'stdio' || server.sandbox === undefined) throw new Error('no sandbox')
  return { server, ...(await inSandbox({ ...server, sandbox: server.sandbox })) }
}

test('a command of your own stands in front, with the folder and each variable by its name', async () => {
  const { launch, server } = await launchOf(
    {
      sandbox: {
        by: ['docker', 'run', '-i', '--rm', '--env={variable}', '-v', '{cwd}:/w', 'image'],
        env: ['TZ', 'NOT_SET'],
      },
      env: { TOKEN: 'secret-1' },
      cwd: '/work/folder',
    },
    { TZ: 'UTC', PATH: '/bin', OTHER: 'x' },
  )
  expect(launch.command).toBe('docker')
  expect(launch.args.join(' ')).toBe(
    'run -i --rm --env=TOKEN --env=TZ -v /work/folder:/w image serve -x',
  )
  expect(launch.env).toEqual({ TZ: 'UTC', PATH: '/bin', TOKEN: 'secret-1' })
  const report = await sandboxOf(server)
  expect(report && describeSandbox(report)).toBe(
    'docker, a command of your own, so that its restrictions are unknown; variables TZ',
  )
})

test('a folder that is not configured stands nowhere', async () => {
  await expect(launchOf({ sandbox: { by: ['run', '{cwd}'] } })).rejects.toThrow(
    'the server has no cwd',
  )
})

test.skipIf(process.platform === 'win32')('a server answers through it', async () => {
  trying = await startTrying({
    sandbox: { by: ['/usr/bin/env', '-i', 'A=1', 'PATH=/usr/bin:/bin'] },
    env: { B: '2' },
  })
  expect(await trying.tried('variables')).toBe('done: A PATH')
})
