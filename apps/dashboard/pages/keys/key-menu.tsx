import { Menu } from '@mantine/core'
import { RowMenu } from '../../components/tables/row-menu.tsx'
import {
  IconAdjustments,
  IconArrowsRightLeft,
  IconChartBar,
  IconCoin,
  IconRefresh,
  IconTrash,
  IconUserCog,
} from '../../icons/icons.ts'
import { getRouteApi, Link } from '@tanstack/react-router'
import { currentOrganization } from '../../api/acting.ts'
import type { Schemas } from '../../api/client.ts'
import { useMay } from '../../api/permissions.ts'
import { useProjects } from '../../api/team.ts'

const route = getRouteApi('/keys')

/** The actions on an active key. */
export function KeyMenu({ owner }: { owner: Schemas['Key'] }) {
  const navigate = route.useNavigate()
  const may = useMay()
  // No extra request: a list on the page uses the same query.
  const hasProjects = useProjects().length > 0
  const mayHandOver = may('keys:hand-over') && (hasProjects || currentOrganization() !== undefined)
  const go = (action: 'limits' | 'rotate' | 'owner' | 'payer' | 'transfer' | 'revoke') => () =>
    void navigate({ search: (before) => ({ ...before, action, key: owner.id }) })
  return (
    <RowMenu of={owner.name}>
      <Menu.Item
        leftSection={<IconChartBar size={16} />}
        renderRoot={(props) => <Link to="/usage" search={{ key: owner.id }} {...props} />}
      >
        Usage
      </Menu.Item>
      {may('keys:write') && (
        <>
          <Menu.Item leftSection={<IconAdjustments size={16} />} onClick={go('limits')}>
            Edit name and limits
          </Menu.Item>
          {/* A key that was replaced has no credit: its successor has it. */}
          {owner.replaced_by === null && (
            <>
              {mayHandOver && (
                <Menu.Item leftSection={<IconUserCog size={16} />} onClick={go('owner')}>
                  Owner and project
                </Menu.Item>
              )}
              <Menu.Item leftSection={<IconCoin size={16} />} onClick={go('payer')}>
                Credit source
              </Menu.Item>
              {owner.draws_on === null && may('credit:move') && (
                <Menu.Item leftSection={<IconArrowsRightLeft size={16} />} onClick={go('transfer')}>
                  Move credit
                </Menu.Item>
              )}
              <Menu.Item leftSection={<IconRefresh size={16} />} onClick={go('rotate')}>
                Rotate
              </Menu.Item>
            </>
          )}
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={go('revoke')}>
            Revoke
          </Menu.Item>
        </>
      )}
    </RowMenu>
  )
}
