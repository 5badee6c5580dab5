import { prompts, resources, tools } from './catalogue.mjs'

/** What all connections to this process share: the lists, and who is to be told of a change. */
export function worldOf() {
  const listeners = new Set()
  return {
    tools: [...tools],
    prompts: [...prompts],
    resources: [...resources],
    listeners,
    tell(change) {
      for (const listener of listeners) listener.hear(change)
    },
    subscribers: (uri) => [...listeners].filter((listener) => listener.wants(uri)).length,
  }
}
