import type { Access } from '../protocol/exchange.ts'
import type { Fields } from '../protocol/message.ts'
import { abilitiesKey } from '../upstream/connection/abilities.ts'
import type { Profile } from './policy/profile.ts'
import { createView, type View } from './view.ts'
import type { ViewOptions } from './view-options.ts'

/** Who looks, and what it can be asked. */
export interface Viewer {
  session: { readonly access?: Access | undefined }
  capabilities: Fields
}

export interface ViewsOptions
  extends Pick<ViewOptions, 'trust' | 'withServer' | 'reserved' | 'claims'> {
  catalog: ViewOptions['catalog']
  profileOf: (access: Access | undefined) => Profile
}

/** Makes views, each once for a profile and a state of the catalog. */
export function createViews(options: ViewsOptions): (viewer: Viewer) => View {
  const { catalog, profileOf, ...shared } = options
  let version = -1
  let views = new Map<Profile, Map<string, View>>()
  const keys = new WeakMap<Fields, string>()
  return ({ session, capabilities }) => {
    if (version !== catalog.version) {
      version = catalog.version
      views = new Map()
    }
    let abilities = keys.get(capabilities)
    if (abilities === undefined) {
      abilities = abilitiesKey(capabilities)
      keys.set(capabilities, abilities)
    }
    const profile = profileOf(session.access)
    const ofProfile = views.get(profile) ?? new Map<string, View>()
    views.set(profile, ofProfile)
    let view = ofProfile.get(abilities)
    if (view === undefined) {
      view = createView({ ...shared, catalog, profile, abilities })
      ofProfile.set(abilities, view)
    }
    return view
  }
}
