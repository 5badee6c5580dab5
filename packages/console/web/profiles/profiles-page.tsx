import type { ReactNode } from 'react'
import { useProfiles } from '../api/use-answers.ts'
import { Answered } from '../ui/answered.tsx'
import { Page } from '../ui/page.tsx'
import { ProfilePanel } from './profile-panel.tsx'
import './profiles.css'

export function ProfilesPage(): ReactNode {
  const query = useProfiles()
  return (
    <Page
      title="Profiles"
      intro="What each group of clients can access. Define profiles in the configuration, under aggregator.profiles."
    >
      <Answered query={query} lines={10}>
        {(profiles) => (
          <div className="profiles">
            {profiles.map((profile) => (
              <ProfilePanel key={profile.name ?? ''} profile={profile} />
            ))}
          </div>
        )}
      </Answered>
    </Page>
  )
}
