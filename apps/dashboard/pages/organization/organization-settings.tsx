import { Button, Code, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { useMay } from '../../api/permissions.ts'
import { accountQuery } from '../../api/queries.ts'
import { CopyIcon } from '../../components/copy-icon.tsx'
import { Facts } from '../../components/facts.tsx'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { NameForm } from '../../components/forms/name-form.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Panel } from '../../components/panel.tsx'
import { dateOf } from '../../format/time.ts'
import { CloseForm } from './close-form.tsx'
import { LeaveForm } from './leave-form.tsx'
import { useDialog } from './use-dialog.ts'

/** The organization's name, and the ways to leave or close it. */
export function OrganizationSettings() {
  const query = useQuery(accountQuery)
  return (
    <Loaded query={query} skeleton={<Skeleton height={420} radius="lg" />}>
      {(account) => <Settings account={account} />}
    </Loaded>
  )
}

function Settings({ account }: { account: Schemas['Me'] }) {
  const may = useMay()
  const { action, open, close } = useDialog()
  const name = account.display_name ?? account.id
  return (
    <Stack gap="lg" maw={880}>
      <Panel title="Organization">
        <Stack gap="md">
          {may('settings') && <NameForm of="organization" key={name} name={name} />}
          <Facts
            facts={[
              ['Identifier', <Identifier key="id" id={account.id} />],
              ['Tier', account.tier],
              ['Since', dateOf(account.created_at)],
            ]}
          />
          {may('billing:read') && (
            <PageLink to="/settings" search={{ show: 'billing' }}>
              Billing details for receipts
            </PageLink>
          )}
        </Stack>
      </Panel>
      <Panel
        title="Leave organization"
        description="The usage of your keys stays with it. You need a new invitation to return."
      >
        <Button variant="default" onClick={() => open({ action: 'leave' })}>
          Leave…
        </Button>
      </Panel>
      {may('owner') && (
        <Panel
          title="Close organization"
          description="Its keys stop working at once, for all members. This cannot be undone."
        >
          <Button variant="default" onClick={() => open({ action: 'close' })}>
            Close organization…
          </Button>
        </Panel>
      )}
      <FormDialog opened={action === 'leave'} onClose={close} title="Leave organization">
        {action === 'leave' && <LeaveForm name={name} onCancel={close} />}
      </FormDialog>
      <FormDialog opened={action === 'close'} onClose={close} title="Close organization">
        {action === 'close' && <CloseForm account={account} onCancel={close} />}
      </FormDialog>
    </Stack>
  )
}

function Identifier({ id }: { id: string }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Code style={{ overflowWrap: 'anywhere' }}>{id}</Code>
      <CopyIcon value={id} label="Copy the identifier" />
      <Text span size="xs" c="dimmed" visibleFrom="sm">
        for <Code>X-Turnpike-Org</Code>
      </Text>
    </Group>
  )
}
