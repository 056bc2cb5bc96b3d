import { Group, SegmentedControl, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { currentOrganization } from '../../api/acting.ts'
import { useMay } from '../../api/permissions.ts'
import { accountQuery } from '../../api/queries.ts'
import { roleWords } from '../../api/roles.ts'
import { roleNames } from '../../api/role-names.ts'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Invitations } from './members/invitations.tsx'
import { Members } from './members/members.tsx'
import { NewOrganizationForm } from './new-organization-form.tsx'
import { OrganizationSettings } from './organization-settings.tsx'
import type { OrganizationView } from './organization-search.ts'
import { OwnOrganizations } from './own-organizations.tsx'
import { useDialog } from './use-dialog.ts'

const route = getRouteApi('/organization')

type Show = NonNullable<OrganizationView['show']>

const contents: Record<Show, () => React.ReactNode> = {
  members: Members,
  invitations: Invitations,
  settings: OrganizationSettings,
}

/** The organization that the tab acts for; for a person's own account, the list of their organizations. */
export function OrganizationPage() {
  const { action, close } = useDialog()
  return (
    <>
      {currentOrganization() === undefined ? <OwnOrganizations /> : <Organization />}
      <FormDialog opened={action === 'new'} onClose={close} title="New organization">
        {action === 'new' && <NewOrganizationForm onCancel={close} />}
      </FormDialog>
    </>
  )
}

function Organization() {
  const { show = 'members' } = route.useSearch()
  const navigate = route.useNavigate()
  const may = useMay()
  const { data: account } = useQuery(accountQuery)
  const Content = contents[show]
  return (
    <>
      <PageHeader
        title={account?.display_name ?? 'Organization'}
        description={
          account && `Your role is ${roleNames[account.role]}: ${lowerFirstLetter(roleWords[account.role])}`
        }
      />
      <Stack gap="md">
        <Group>
          <SegmentedControl
            aria-label="Organization section"
            value={show}
            data={[
              { value: 'members', label: 'Members' },
              ...(may('members:write') ? [{ value: 'invitations', label: 'Invitations' }] : []),
              { value: 'settings', label: 'Settings' },
            ]}
            onChange={(value) =>
              void navigate({ search: { show: value as Show }, replace: true, resetScroll: false })
            }
          />
        </Group>
        <Content />
      </Stack>
    </>
  )
}

function lowerFirstLetter(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}
