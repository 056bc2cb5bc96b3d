import { Group, Stack } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { EmptyNote } from '../../components/empty-note.tsx'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { Paged } from '../../components/tables/paged.tsx'
import { Choice } from '../../filters/choice.tsx'
import { IconBell } from '../../icons/icons.ts'
import type { Delivery, EventTarget } from './alert-queries.ts'
import { deliveryStates, type DeliveryState } from './alert-search.ts'
import { DeliveryLog } from './delivery-log.tsx'
import { DeliveryTable } from './delivery-table.tsx'

interface DeliveryListProps {
  query: ComponentProps<typeof Paged<Delivery>>['query']
  cursor: string | undefined
  targets: readonly Pick<EventTarget, 'id' | 'name'>[] | undefined
  /** Filters shown before the one by state. */
  filters?: ReactNode
  stateLabel: string
  state: DeliveryState | undefined
  onState: (state: DeliveryState | undefined) => void
  empty: { title: string; words: string }
  /** The event's name, linked to its attempts. */
  linkOf: ComponentProps<typeof DeliveryTable>['linkOf']
  /** The delivery whose attempts are shown. */
  opened: string | undefined
  onClose: () => void
  /** Another account's, as an operator sees it; absent: the own account's. */
  customerId?: string
}

/** A paged list of what was sent to whom and whether it arrived, with the attempts of one delivery. */
export function DeliveryList({
  query,
  cursor,
  targets,
  filters,
  stateLabel,
  state,
  onState,
  empty,
  linkOf,
  opened,
  onClose,
  customerId,
}: DeliveryListProps) {
  const nameOf = (id: string): string => targets?.find((one) => one.id === id)?.name ?? 'deleted'
  return (
    <Stack gap="sm">
      <Group gap="sm">
        {filters}
        <Choice
          label={stateLabel}
          value={state}
          onChange={(value) => onState(deliveryStates.find((one) => one === value))}
          offers={deliveryStates.map((value) => ({ value, label: value }))}
        />
      </Group>
      <Paged
        query={query}
        cursor={cursor}
        skeletonHeight={260}
        empty={
          <EmptyNote icon={IconBell} title={empty.title}>
            {empty.words}
          </EmptyNote>
        }
      >
        {(rows) => <DeliveryTable deliveries={rows} nameOf={nameOf} linkOf={linkOf} />}
      </Paged>
      <FormDialog opened={opened !== undefined} onClose={onClose} title="Delivery" size="lg">
        {opened !== undefined && (
          <DeliveryLog
            deliveryId={opened}
            nameOf={nameOf}
            {...(customerId !== undefined && { customerId })}
          />
        )}
      </FormDialog>
    </Stack>
  )
}
