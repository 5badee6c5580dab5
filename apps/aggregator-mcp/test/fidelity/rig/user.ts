import type { Bag } from './wire.ts'

/** Who sits behind the client: what is asked of them and what they answer. */
export interface User {
  requested: { method: string; params: Bag }[]
  sampling: (params: Bag) => Bag
  elicitation: (params: Bag) => Bag
  roots: () => Bag
}

export const newUser = (): User => ({
  requested: [],
  sampling: () => ({
    role: 'assistant',
    content: { type: 'text', text: 'forty-two' },
    model: 'a-model',
    stopReason: 'endTurn',
  }),
  elicitation: () => ({ action: 'accept', content: { name: 'Ada' } }),
  roots: () => ({
    roots: [
      { uri: 'file:///home/ada', name: 'Home' },
      { uri: 'file:///srv/%C3%A9', name: 'é' },
    ],
  }),
})

/** What the client does with each method that asks its user. */
export const handlersOf = (user: User) => {
  const noting =
    (method: string, answer: (params: Bag) => Bag) => (request: { params?: object }) => {
      const params = { ...request.params } as Bag
      user.requested.push({ method, params })
      return answer(params)
    }
  return {
    sampling: noting('sampling/createMessage', (params) => user.sampling(params)),
    elicitation: noting('elicitation/create', (params) => user.elicitation(params)),
    roots: noting('roots/list', () => user.roots()),
  }
}

export const abilities = {
  sampling: {},
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
}
