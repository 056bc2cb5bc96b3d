import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../../components/loaded.tsx'
import { Panel } from '../../../components/panel.tsx'
import { billingQuery } from '../settings-queries.ts'
import { BillingForm } from './billing-form.tsx'

/** The billing address that receipts show. */
export function Billing() {
  const query = useQuery(billingQuery)
  return (
    <Panel
      title="Billing address"
      description="Shown on receipts from the next payment on. Existing receipts do not change."
    >
      <Loaded query={query} skeleton={<Skeleton height={380} />}>
        {({ address, countries }) => <BillingForm address={address} countries={countries} />}
      </Loaded>
    </Panel>
  )
}
