import { SegmentedControl, Skeleton, Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { currentOrganization } from '../../api/acting.ts'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Billing } from './billing/billing.tsx'
import { OwnData } from './own-data/own-data.tsx'
import { Profile } from './profile/profile.tsx'
import { Sessions } from './sessions/sessions.tsx'
import type { SettingsView } from './settings-search.ts'

const route = getRouteApi('/settings')

/** Its code is loaded when it is shown. */
const VendorKeys = lazyPart(() => import('./vendor-keys/vendor-keys.tsx'))

function VendorKeysView() {
  return (
    <Suspense fallback={<Skeleton height={320} radius="lg" />}>
      <VendorKeys />
    </Suspense>
  )
}

const views: { value: SettingsView; label: string; content: () => React.ReactNode }[] = [
  { value: 'profile', label: 'Profile', content: Profile },
  { value: 'sessions', label: 'Sessions', content: Sessions },
  { value: 'vendor-keys', label: 'Vendor keys', content: VendorKeysView },
  { value: 'billing', label: 'Billing', content: Billing },
  { value: 'data', label: 'Your data', content: OwnData },
]

/** The profile, sessions, vendor keys, billing address and data of the account. */
export function SettingsPage() {
  const { show = 'profile' } = route.useSearch()
  const navigate = route.useNavigate()
  const Content = views.find(({ value }) => value === show)!.content
  return (
    <>
      <PageHeader
        title="Settings"
        description={
          currentOrganization() === undefined
            ? 'Settings of your account. Keys and limits have their own page.'
            : 'Your personal settings. Vendor keys and billing details are those of the organization.'
        }
      />
      <Stack gap="lg" maw={880}>
        <SegmentedControl
          aria-label="Settings section"
          w="fit-content"
          maw="100%"
          value={show}
          data={views.map(({ value, label }) => ({ value, label }))}
          onChange={(value) => void navigate({ search: { show: value }, replace: true, resetScroll: false })}
        />
        <Content />
      </Stack>
    </>
  )
}
