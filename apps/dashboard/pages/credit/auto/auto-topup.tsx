import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure } from '../../../api/api-failure.ts'
import { useMay } from '../../../api/permissions.ts'
import { EmptyNote } from '../../../components/empty-note.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Panel } from '../../../components/panel.tsx'
import { dateOf } from '../../../format/time.ts'
import { IconCreditCard, IconRefresh } from '../../../icons/icons.ts'
import { AutoTopupForm } from './auto-topup-form.tsx'
import {
  autoTopupQuery,
  methodName,
  methodsQuery,
  type AutoTopup as Setting,
  type PaymentMethod,
} from './auto-queries.ts'
import { AutoTopupState } from './auto-topup-state.tsx'
import { PaymentLinks } from './payment-links.tsx'
import { RemoveMethodForm } from './remove-method-form.tsx'

/** Automatic top-up and its payment methods. */
export default function AutoTopup() {
  return (
    <Stack gap="md">
      <Charges />
      <PaymentLinks />
    </Stack>
  )
}

function Charges() {
  const setting = useQuery(autoTopupQuery)
  const methods = useQuery(methodsQuery)
  const may = useMay()
  if (setting.error instanceof ApiFailure && setting.error.status === 404)
    return (
      <Panel>
        <EmptyNote icon={IconRefresh} title="Automatic top-up is not available">
          The payment processor of this gateway does not support automatic top-ups.
        </EmptyNote>
      </Panel>
    )
  return (
    <>
      <Panel title="Automatic top-up" description="Charges a saved payment method when the balance gets low.">
        <Loaded query={setting} skeleton={<Skeleton height={220} />}>
          {(auto) => (
            <Loaded query={methods} skeleton={<Skeleton height={220} />}>
              {({ data }) => (
                <Stack gap="md">
                  <AutoTopupState auto={auto} />
                  {data.length === 0 && (
                    <Text size="sm">
                      No payment method is saved yet. Select <em>Save for automatic top-ups</em> above the
                      next time you add credit.
                    </Text>
                  )}
                  {data.length > 0 && may('billing:write') && (
                    <AutoTopupForm key={settingOf(auto)} auto={auto} methods={data} />
                  )}
                </Stack>
              )}
            </Loaded>
          )}
        </Loaded>
      </Panel>
      {methods.data !== undefined && methods.data.data.length > 0 && (
        <Methods methods={methods.data.data} mayRemove={may('billing:write')} />
      )}
    </>
  )
}

/** A key for the form, so that it starts again if the settings were changed elsewhere. */
function settingOf(auto: Setting): string {
  const { enabled, threshold_usd: threshold, amount_usd: amount, monthly_cap_usd: cap } = auto
  return [enabled, threshold, amount, cap, auto.payment_method_id].join(' ')
}

interface MethodsProps {
  methods: readonly PaymentMethod[]
  mayRemove: boolean
}

function Methods({ methods, mayRemove }: MethodsProps) {
  const [removed, setRemoved] = useState<PaymentMethod>()
  const done = () => setRemoved(undefined)
  return (
    <Panel
      title="Saved payment methods"
      description="Stored at the payment processor. The gateway only knows the last four digits."
    >
      <Stack gap="sm">
        {methods.map((method) => (
          <Group key={method.id} justify="space-between" gap="sm">
            <Group gap="sm" wrap="nowrap">
              <IconCreditCard size={18} aria-hidden />
              <div>
                <Text size="sm" fw={500}>
                  {methodName(method)}
                  {method.sandbox && ' (play money)'}
                </Text>
                <Text size="xs" c="dimmed">
                  saved {dateOf(method.created_at)}
                  {method.expires_month !== null && `, expires ${method.expires_month}`}
                </Text>
              </div>
            </Group>
            {mayRemove && (
              <Button
                size="xs"
                variant="default"
                aria-label={`Remove ${methodName(method)}`}
                onClick={() => setRemoved(method)}
              >
                Remove
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      <FormDialog opened={removed !== undefined} onClose={done} title="Remove payment method">
        {removed !== undefined && <RemoveMethodForm removed={removed} onDone={done} />}
      </FormDialog>
    </Panel>
  )
}
