// As many open consoles as it is told, in a process of their own: each listens to the events and
// asks what the overview and the page of usage ask, as often as they do. Says how many events came.
const [origin, cookie, proof, count] = process.argv.slice(2)
const headers = { cookie, 'x-pith-proof': proof }
let events = 0
let failed = 0

async function listen() {
  const response = await fetch(`${origin}/api/v1/events`, { headers })
  if (!response.ok) throw new Error(`${response.status}`)
  const decoder = new TextDecoder()
  for await (const chunk of response.body)
    events += decoder.decode(chunk, { stream: true }).split('event: ').length - 1
}

async function ask() {
  for (const path of [
    '/servers',
    '/attention',
    '/usage?by=server',
    '/usage/series?by=server&since=60m',
    '/journal?outcome=failed&limit=8',
  ])
    await fetch(`${origin}/api/v1${path}`, { headers })
      .then((response) => response.arrayBuffer())
      .catch(() => failed++)
}

for (let index = 0; index < Number(count); index++) {
  void listen().catch(() => failed++)
  setTimeout(() => setInterval(ask, 15_000), Math.random() * 15_000)
}
setInterval(() => process.send({ events, failed }), 1_000)
