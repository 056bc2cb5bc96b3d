import { Alert, Text } from '@mantine/core'
import { IconCheck, IconX } from '../../icons/icons.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { payerOf } from '../../api/payers.ts'
import { keysQuery } from '../../api/queries.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Panel } from '../../components/panel.tsx'
import { parseUsd } from '../../format/money.ts'
import { CodeForm } from './code-form.tsx'
import { DecisionForm } from './decision-form.tsx'

/** Gives a program on a device the use of a key: the user types the code it shows, then decides. */
export function ConnectPage() {
  const [device, setDevice] = useState<Schemas['DeviceSignIn']>()
  return (
    <>
      <PageHeader
        title="Connect a device"
        description="A program that shows a code wants to use one of your keys."
      />
      <Panel maw={560}>
        {device === undefined && <CodeForm onFound={setDevice} />}
        {device?.status === 'pending' && (
          <DecisionForm device={device} onDecided={setDevice} onCancel={() => setDevice(undefined)} />
        )}
        {device?.status === 'approved' && <Approved device={device} />}
        {device?.status === 'denied' && (
          <Alert color="gray" icon={<IconX size={18} />} title="Not connected">
            The device has been notified. You can close this page.
          </Alert>
        )}
      </Panel>
    </>
  )
}

function Approved({ device: { client_name: name, key } }: { device: Schemas['DeviceSignIn'] }) {
  const { data: keys } = useQuery(keysQuery)
  const payer = key === null || keys === undefined ? undefined : payerOf(key, keys.data)
  return (
    <Alert color="teal" icon={<IconCheck size={18} />} title={`${name} is connected`}>
      <Text size="sm">
        You can close this page and return to it. Its spending counts on the key <strong>{key?.name}</strong>,
        which you can limit or revoke on the page of your <PageLink to="/keys">keys</PageLink>.
      </Text>
      {payer !== undefined && parseUsd(payer.balance_usd) <= 0n && (
        <Text size="sm" mt="xs">
          It has no credit yet: <PageLink to="/credit">add some</PageLink>.
        </Text>
      )}
    </Alert>
  )
}
