import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createPublicCallbacks } from '../../../../oauth/src/public-callbacks.ts'
import { httpServer, signInsIn } from './aggregated.ts'
import { open } from './open-world.ts'

/** What answers at the public address. */
async function startDoor(callbacks: () => ReturnType<typeof createPublicCallbacks>) {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(request.url ?? '')
    void callbacks().answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

test('the redirect arrives at the public address, in the state its replica', async () => {
  const world = await open()
  const door = await startDoor(() => callbacks)
  const callbacks = createPublicCallbacks(`${door.url}/`, 'abcd1234')
  const { signIns, tabs } = signInsIn(world, { callbacks })
  const notes = httpServer('notes', world.servers.notes.url)
  await signIns.signIn(notes)
  expect(await signIns.stateOf(notes)).toBe('signed in')
  const asked = new URL(tabs[0] ?? '').searchParams
  expect(asked.get('redirect_uri')).toBe(`${door.url}/oauth/callback`)
  expect(asked.get('state')).toMatch(/^rabcd1234\.[0-9a-f]{64}$/)
  // Once it is over, and with another state, there is nobody for it.
  for (const state of [asked.get('state'), 'another']) {
    const answer = await fetch(`${door.url}/oauth/callback?code=x&state=${state}`)
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('There is no such sign-in')
  }
})

test('an authorization server that reads the metadata of clients needs no registration', async () => {
  const base = 'https://pith.example.com/team'
  const callbacks = createPublicCallbacks(base)
  const door = await startDoor(() => callbacks)
  const { clientId = '', metadata } = callbacks
  expect(metadata).toMatchObject({ client_id: `${base}/oauth/client.json` })
  const world = await open({
    authorization: {
      registration: false,
      metadataDocuments: { [clientId]: metadata },
      // The proxy of the public address.
      alterCallback(callback) {
        callback.href = `${door.url}/oauth/callback${callback.search}`
      },
    },
  })
  const { signIns, tabs } = signInsIn(world, { callbacks })
  const notes = httpServer('notes', world.servers.notes.url)
  await signIns.signIn(notes)
  expect(await signIns.stateOf(notes)).toBe('signed in')
  const asked = new URL(tabs[0] ?? '').searchParams
  expect(asked.get('client_id')).toBe(clientId)
  expect(asked.get('redirect_uri')).toBe(`${base}/oauth/callback`)
  expect(door.seen).toHaveLength(1)
})

test('over http no document is named, since authorization servers would not read it', () => {
  expect(createPublicCallbacks('http://127.0.0.1:8080').clientId).toBeUndefined()
})
