import { type ComponentType, lazy } from 'react'
import { Overview } from '../overview/overview.tsx'
import { loadPage } from './page-loading.ts'

function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return lazy(async () => ({ default: await loadPage(load) })) as unknown as ComponentType<Props>
}

export const Server = later(async () => (await import('../servers/server-page.tsx')).ServerPage)
export const Access = later(async () => (await import('../profiles/access-page.tsx')).AccessPage)
export const Tool = later(async () => (await import('../tools/tool-page.tsx')).ToolPage)
const Servers = later(async () => (await import('../servers/servers-page.tsx')).ServersPage)
const Registry = later(async () => (await import('../registry/registry-page.tsx')).RegistryPage)
const Tools = later(async () => (await import('../tools/tools-page.tsx')).ToolsPage)
const Approvals = later(async () => (await import('../approvals/approvals-page.tsx')).ApprovalsPage)
const Live = later(async () => (await import('../live/live-page.tsx')).LivePage)
const Usage = later(async () => (await import('../usage/usage-page.tsx')).UsagePage)
const Journal = later(async () => (await import('../journal/journal-page.tsx')).JournalPage)
const Pins = later(async () => (await import('../pins/pins-page.tsx')).PinsPage)
const Accounts = later(async () => (await import('../accounts/accounts-page.tsx')).AccountsPage)
const Profiles = later(async () => (await import('../profiles/profiles-page.tsx')).ProfilesPage)
const Clients = later(async () => (await import('../clients/clients-page.tsx')).ClientsPage)
const Settings = later(async () => (await import('../settings/settings-page.tsx')).SettingsPage)
const Tokens = later(async () => (await import('../tokens/tokens-page.tsx')).TokensPage)

interface PageGroup {
  group: string
  items: readonly { path: string; name: string; Content: ComponentType }[]
}

/** The pages of the navigation, in its order. */
export const pages: readonly PageGroup[] = [
  { group: '', items: [{ path: '/', name: 'Overview', Content: Overview }] },
  {
    group: 'Upstream',
    items: [
      { path: '/servers', name: 'Servers', Content: Servers },
      { path: '/registry', name: 'Registry', Content: Registry },
      { path: '/tools', name: 'Tools', Content: Tools },
      { path: '/pins', name: 'Review', Content: Pins },
      { path: '/accounts', name: 'Accounts', Content: Accounts },
    ],
  },
  {
    group: 'Activity',
    items: [
      { path: '/approvals', name: 'Requests', Content: Approvals },
      { path: '/live', name: 'Live', Content: Live },
      { path: '/usage', name: 'Usage', Content: Usage },
      { path: '/journal', name: 'Journal', Content: Journal },
    ],
  },
  {
    group: 'Access',
    items: [
      { path: '/clients', name: 'Clients', Content: Clients },
      { path: '/profiles', name: 'Profiles', Content: Profiles },
      { path: '/tokens', name: 'Access tokens', Content: Tokens },
      { path: '/settings', name: 'Settings', Content: Settings },
    ],
  },
]
