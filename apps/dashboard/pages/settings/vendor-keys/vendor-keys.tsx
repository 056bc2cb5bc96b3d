import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure } from '../../../api/api-failure.ts'
import { useMay } from '../../../api/permissions.ts'
import { EmptyNote } from '../../../components/empty-note.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Panel } from '../../../components/panel.tsx'
import { IconKey, IconPlus } from '../../../icons/icons.ts'
import { VendorKeyForm } from './vendor-key-form.tsx'
import { vendorKeyProvidersQuery, vendorKeysQuery, type VendorKey } from './vendor-key-queries.ts'
import { VendorKeyTable, type VendorKeyAction } from './vendor-key-table.tsx'
import { DeleteVendorKeyForm, ReplaceForm, RulesForm } from './change-forms.tsx'

interface Opened {
  action: VendorKeyAction | 'add'
  vendorKey?: VendorKey
}

/** The account's own keys of vendors, by which its requests go first. */
export default function VendorKeys() {
  const may = useMay()
  const query = useQuery(vendorKeysQuery)
  const { data: offered } = useQuery(vendorKeyProvidersQuery)
  const [opened, setOpened] = useState<Opened>()
  if (!may('vendor-keys'))
    return <Unavailable title="Not for your role">Owners and admins look after the vendor keys.</Unavailable>
  if (query.error instanceof ApiFailure && query.error.status === 404)
    return (
      <Unavailable title="Not on this gateway">
        Whoever runs this gateway has not turned on keys of your own.
      </Unavailable>
    )
  const add = () => setOpened({ action: 'add' })
  return (
    <Panel
      p={0}
      isHeadPadded
      title="Your own keys of vendors"
      description={`Asked first for their vendors’ models. ${feeWords(offered?.fee_percent)}`}
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={add}>
          Add a key
        </Button>
      }
    >
      <Loaded query={query} skeleton={<Skeleton height={220} />}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyNote icon={IconKey} title="No keys yet">
              Add the key of your own account at a vendor: its models are then billed to you there.
            </EmptyNote>
          ) : (
            <VendorKeyTable
              vendorKeys={data}
              providers={offered?.data ?? []}
              onOpen={(action, vendorKey) => setOpened({ action, vendorKey })}
            />
          )
        }
      </Loaded>
      <Dialog opened={opened} onClose={() => setOpened(undefined)} />
    </Panel>
  )
}

function feeWords(percent: string | undefined): string {
  if (percent === undefined) return ''
  return percent === '0'
    ? 'Vendors bill you; here it costs nothing.'
    : `Vendors bill you; here it costs ${percent} % of the list price.`
}

function Unavailable({ title, children }: { title: string; children: string }) {
  return (
    <Panel>
      <EmptyNote icon={IconKey} title={title}>
        {children}
      </EmptyNote>
    </Panel>
  )
}

const titles: Record<Opened['action'], string> = {
  add: 'Add a key of a vendor',
  change: 'Change the key',
  replace: 'Replace the key',
  delete: 'Remove the key',
}

function Dialog({ opened, onClose }: { opened: Opened | undefined; onClose: () => void }) {
  const vendorKey = opened?.vendorKey
  return (
    <FormDialog opened={opened !== undefined} onClose={onClose} title={opened && titles[opened.action]}>
      {opened?.action === 'add' && <VendorKeyForm onDone={onClose} />}
      {opened?.action === 'change' && vendorKey && <RulesForm vendorKey={vendorKey} onDone={onClose} />}
      {opened?.action === 'replace' && vendorKey && <ReplaceForm vendorKey={vendorKey} onDone={onClose} />}
      {opened?.action === 'delete' && vendorKey && (
        <DeleteVendorKeyForm vendorKey={vendorKey} onDone={onClose} />
      )}
    </FormDialog>
  )
}
