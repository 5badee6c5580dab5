interface PageGroup {
  group: string
  items: readonly { path: string; name: string }[]
}

/** The pages of the navigation, in its order. */
export const pages: readonly PageGroup[] = [
  { group: '', items: [{ path: '/', name: 'Overview' }] },
  {
    group: 'Upstream',
    items: [
      { path: '/servers', name: 'Servers' },
      { path: '/tools', name: 'Tools' },
      { path: '/pins', name: 'Pins' },
      { path: '/accounts', name: 'Accounts' },
    ],
  },
  {
    group: 'Activity',
    items: [
      { path: '/live', name: 'Live' },
      { path: '/usage', name: 'Usage' },
      { path: '/journal', name: 'Journal' },
    ],
  },
  {
    group: 'Access',
    items: [
      { path: '/profiles', name: 'Profiles' },
      { path: '/tokens', name: 'Access tokens' },
    ],
  },
]
