-- As for transfers: who writes a message has its room and its sender locked or in hand, neither can go, and the keys' triggers
-- were a good part of the database's work for a message.
alter table messages drop constraint messages_room_id_fkey, drop constraint messages_sender_id_fkey;
alter table room_reads drop constraint room_reads_room_id_fkey, drop constraint room_reads_account_id_fkey;
