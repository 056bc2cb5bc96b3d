import { Menu, Text } from '@mantine/core'
import { RowMenu } from '../../components/tables/row-menu.tsx'
import { getRouteApi } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { useChange } from '../../api/use-change.ts'
import {
  IconAdjustments,
  IconCheck,
  IconListDetails,
  IconMessage,
  IconRefresh,
  IconTrash,
} from '../../icons/icons.ts'
import type { EventTarget } from './alert-queries.ts'
import type { AlertView } from './alert-search.ts'

const route = getRouteApi('/alerts')

/** The actions on a recipient. */
export function RecipientMenu({ target }: { target: EventTarget }) {
  const navigate = route.useNavigate()
  const { id, name, kind, status } = target
  const go = (view: AlertView) => () =>
    void navigate({ search: { show: 'recipients', target: id, ...view }, resetScroll: false })
  const { testing, asking, enabling } = useAsked(id)
  const error = testing.error ?? asking.error ?? enabling.error
  return (
    <>
      <RowMenu of={name}>
        {status === 'active' && (
          <Menu.Item leftSection={<IconMessage size={16} />} onClick={() => testing.mutate()}>
            Send a test
          </Menu.Item>
        )}
        {status === 'unconfirmed' && (
          <Menu.Item leftSection={<IconMessage size={16} />} onClick={() => asking.mutate()}>
            Send the confirmation again
          </Menu.Item>
        )}
        {status === 'disabled' && (
          <Menu.Item leftSection={<IconCheck size={16} />} onClick={() => enabling.mutate()}>
            Enable
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconListDetails size={16} />}
          onClick={go({ show: 'deliveries', target: id })}
        >
          Deliveries
        </Menu.Item>
        <Menu.Item leftSection={<IconAdjustments size={16} />} onClick={go({ action: 'change' })}>
          Change
        </Menu.Item>
        {kind === 'webhook' && (
          <Menu.Item leftSection={<IconRefresh size={16} />} onClick={go({ action: 'rotate' })}>
            Rotate the secret
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={go({ action: 'delete' })}>
          Delete
        </Menu.Item>
      </RowMenu>
      {error !== null && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {error.message}
        </Text>
      )}
    </>
  )
}

/** Actions that need no dialog. */
function useAsked(targetId: string) {
  const navigate = route.useNavigate()
  const params = { path: { target_id: targetId } }
  const testing = useChange(
    'alerts',
    ({ id: delivery }) => void navigate({ search: { show: 'deliveries', delivery } }),
    () => api.POST('/api/v1/event-targets/{target_id}/test', { params }),
  )
  const asking = useChange('alerts', undefined, () =>
    api.POST('/api/v1/event-targets/{target_id}/confirmation', { params }),
  )
  const enabling = useChange('alerts', undefined, () =>
    api.PATCH('/api/v1/event-targets/{target_id}', { params, body: { status: 'active' } }),
  )
  return { testing, asking, enabling }
}
