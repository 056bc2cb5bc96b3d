import { Menu } from '@mantine/core'
import { RowMenu } from '../../../components/tables/row-menu.tsx'
import { IconCoin, IconUserCog } from '../../../icons/icons.ts'
import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '../../../api/client.ts'

const route = getRouteApi('/operator')

export function AccountActions({ account }: { account: Schemas['Account'] }) {
  const navigate = route.useNavigate()
  const go = (action: 'credit' | 'status') => () =>
    void navigate({ search: (before) => ({ ...before, action, account: account.id }), resetScroll: false })
  return (
    <RowMenu of={account.display_name ?? account.email ?? account.id} width={200}>
      <Menu.Item leftSection={<IconCoin size={16} />} onClick={go('credit')}>
        Adjust credit
      </Menu.Item>
      <Menu.Item leftSection={<IconUserCog size={16} />} onClick={go('status')}>
        Status and tier
      </Menu.Item>
    </RowMenu>
  )
}
