import { HomeOutlined, TeamOutlined } from '@ant-design/icons'
import { Input, Layout, Menu, Table, Tag } from 'antd'
import { useState } from 'react'
import { rows } from '../rows.js'

const columns = [
  { title: 'Username', dataIndex: 'username', sorter: (a, b) => a.username.localeCompare(b.username) },
  { title: 'Nickname', dataIndex: 'nickname' },
  { title: 'Balance', dataIndex: 'balance', align: 'right', sorter: (a, b) => a.balance - b.balance },
  { title: 'Status', dataIndex: 'status', render: (status) => <Tag>{status}</Tag> },
  { title: 'Created', dataIndex: 'created_at' },
]
const items = [
  { key: 'home', icon: <HomeOutlined />, label: 'Home' },
  { key: 'members', icon: <TeamOutlined />, label: 'Members' },
]

const Members = () => {
  const [text, setText] = useState('')
  const shown = rows.filter(({ username }) => username.includes(text))
  return (
    <Layout style={{ minHeight: '100vh' }}>
      <Layout.Sider>
        <Menu theme="dark" defaultSelectedKeys={['members']} items={items} />
      </Layout.Sider>
      <Layout>
        <Layout.Header style={{ color: '#fff' }}>Members</Layout.Header>
        <Layout.Content style={{ padding: 24 }}>
          <Input.Search placeholder="Search" onChange={({ target }) => setText(target.value)} />
          <Table rowKey="id" size="small" columns={columns} dataSource={shown} pagination={{ pageSize: 25 }} />
        </Layout.Content>
      </Layout>
    </Layout>
  )
}
export default Members
