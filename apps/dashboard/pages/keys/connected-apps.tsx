import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { personApi, type Schemas } from '../../api/client.ts'
import { connectedAppsQuery } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { ChangeForm } from '../../components/forms/change-form.tsx'
import { DataTable, type Column } from '../../components/tables/data-table.tsx'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { Panel } from '../../components/panel.tsx'
import { scopesText } from '../../format/scopes.ts'
import { timeOf } from '../../format/time.ts'

type ConnectedApp = Schemas['ConnectedApp']

/** The apps that may use the MCP server; renders nothing if there are none. */
export function ConnectedApps() {
  const { data } = useQuery(connectedAppsQuery)
  const [ended, setEnded] = useState<ConnectedApp>()
  const apps = data?.data ?? []
  const close = () => setEnded(undefined)
  return (
    <>
      {apps.length > 0 && (
        <Panel
          p={0}
          isHeadPadded
          title="Connected apps"
          description="Apps that may use the gateway on your behalf, one row per sign-in."
        >
          <DataTable
            label="Connected apps"
            minWidth={640}
            columns={columnsOf(setEnded)}
            rows={apps}
            keyOf={({ id }) => id}
          />
        </Panel>
      )}
      <FormDialog opened={ended !== undefined} onClose={close} title="Disconnect app">
        {ended !== undefined && <DisconnectForm ended={ended} onDone={close} />}
      </FormDialog>
    </>
  )
}

function columnsOf(onEnd: (app: ConnectedApp) => void): Column<ConnectedApp>[] {
  return [
    {
      head: 'App',
      place: 'name',
      cell: ({ name, host }) => (
        <>
          <Text size="sm">{name}</Text>
          <Text size="xs" c="dimmed">
            {host === null ? 'registered itself' : 'known by its address'}
          </Text>
        </>
      ),
    },
    {
      head: 'Acts for',
      cell: ({ organization_id: id, organization_name: name }) =>
        id === null ? 'Your account' : <bdi>{name ?? 'An organization that you left'}</bdi>,
    },
    {
      head: 'Permissions',
      place: 'words',
      cell: ({ scopes }) => scopesText(scopes),
    },
    { head: 'Allowed', cell: ({ created_at: at }) => timeOf(at) },
    { head: 'Last seen', cell: ({ last_renewed_at: at }) => timeOf(at) },
    {
      head: 'Actions',
      align: 'right',
      place: 'action',
      cell: (app) => (
        <Button
          variant="default"
          size="xs"
          aria-label={`Disconnect ${app.name}, allowed ${timeOf(app.created_at)}`}
          onClick={() => onEnd(app)}
        >
          Disconnect
        </Button>
      ),
    },
  ]
}

function DisconnectForm({ ended, onDone }: { ended: ConnectedApp; onDone: () => void }) {
  const path = '/api/v1/me/connected-apps/{app_id}'
  const ending = useChange('apps', onDone, () =>
    personApi.DELETE(path, { params: { path: { app_id: ended.id } } }),
  )
  return (
    <ChangeForm change={ending} submit="Disconnect" isFinal onCancel={onDone}>
      <Text size="sm">
        <strong>{ended.name}</strong> loses access until you allow it again. API keys that it created keep
        working. Revoke those you do not want.
      </Text>
    </ChangeForm>
  )
}
