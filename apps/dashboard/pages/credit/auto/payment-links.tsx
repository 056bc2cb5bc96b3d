import { Skeleton, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { accountQuery } from '../../../api/queries.ts'
import { useChange } from '../../../api/use-change.ts'
import { FailureNote } from '../../../components/failure-note.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { PageLink } from '../../../components/page-link.tsx'
import { Panel } from '../../../components/panel.tsx'

/** Whether a 402 contains a link to pay by, for keys without a setting of their own. */
export function PaymentLinks() {
  const account = useQuery(accountQuery)
  return (
    <Panel
      title="Payment links"
      description={
        <>
          When there is not enough credit, a request is refused (402). With a payment link in the error, a
          program can ask somebody to pay and then continue. Anyone with the key can see the link.{' '}
          <PageLink to="/keys" underline="always">
            A key
          </PageLink>{' '}
          can override this in its limits.
        </>
      }
    >
      <Loaded query={account} skeleton={<Skeleton height={24} width={260} />}>
        {({ keys_may_top_up: isOn }) => <LinksSwitch isOn={isOn} />}
      </Loaded>
    </Panel>
  )
}

function LinksSwitch({ isOn }: { isOn: boolean }) {
  const may = useMay()
  const change = useChange('account', undefined, () =>
    api.PATCH('/api/v1/me', { body: { keys_may_top_up: !isOn } }),
  )
  return (
    <>
      <Switch
        label="Include a payment link in refusals"
        {...(!may('settings') && { description: 'Only owners and admins can change this.' })}
        // Shows the old setting until the new one is confirmed.
        checked={change.isPending ? !isOn : isOn}
        disabled={change.isPending || !may('settings')}
        onChange={() => change.mutate()}
      />
      {change.error !== null && <FailureNote error={change.error} />}
    </>
  )
}
