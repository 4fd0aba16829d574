-- What version 1 of the schema held after some days of use: rows of every table, written by the services of 0.1.0 before there was a version 2.
-- The text suits both databases once X'…' is written as each spells bytes. The secrets behind it are in tests/migration/fixtures.rs; they open nothing else.

INSERT INTO clubs (id, name, name_folded, kind, status, founded_year, abolished_year, leader_id) VALUES
    (1, 'Robotics', 'robotics', 'MAJOR_CLUB', 'ACTIVE', 2018, NULL, NULL),
    (2, '밴드부', '밴드부', 'AUTONOMOUS_CLUB', 'ACTIVE', 2020, NULL, NULL),
    (3, 'Chess 100%', 'chess 100%', 'AUTONOMOUS_CLUB', 'ABOLISHED', 2015, 2019, NULL),
    (4, 'ROBOT art', 'robot art', 'MAJOR_CLUB', 'ABOLISHED', 2018, 2024, NULL);

INSERT INTO students (id, name, name_folded, sex, email, email_folded, specialty, specialty_folded, github_id, github_id_folded, role, grade, class_num, number, student_number, major, dormitory_room, major_club_id, autonomous_club_id) VALUES
    (1, '김하늘', '김하늘', 'WOMAN', 's19@school.example', 's19@school.example', 'Rust', 'rust', 'haneul-kim', 'haneul-kim', 'GENERAL_STUDENT', 2, 3, 7, 2307, 'AI', 415, 1, 2),
    (2, 'Åsa Öberg', 'åsa öberg', 'WOMAN', 's18@school.example', 's18@school.example', '100% Design', '100% design', 'Asa-O', 'asa-o', 'STUDENT_COUNCIL', 1, 1, 1, 1101, 'SW_DEVELOPMENT', NULL, 1, NULL),
    (3, '이준', '이준', 'MAN', 's17@school.example', 's17@school.example', NULL, NULL, NULL, NULL, 'DORMITORY_MANAGER', 3, 4, 18, 3418, 'SMART_IOT', 201, NULL, 2),
    (4, '박서연', '박서연', 'WOMAN', 's16@school.example', 's16@school.example', NULL, NULL, NULL, NULL, 'GENERAL_STUDENT', 1, 2, 5, 1205, 'SW_DEVELOPMENT', 415, 1, NULL),
    (5, 'Bob', 'bob', 'MAN', 's15@school.example', 's15@school.example', '1000 Designs', '1000 designs', NULL, NULL, 'GENERAL_STUDENT', 2, 1, 3, 2103, 'AI', NULL, NULL, NULL),
    (6, 'Carol', 'carol', 'WOMAN', 's14@school.example', 's14@school.example', NULL, NULL, 'carol', 'carol', 'GRADUATE', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    (7, '정민', '정민', 'MAN', 's13@school.example', 's13@school.example', NULL, NULL, NULL, NULL, 'GRADUATE', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    (8, 'bobby', 'bobby', 'MAN', 's12@school.example', 's12@school.example', 'a_c', 'a_c', NULL, NULL, 'WITHDRAWN', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

UPDATE clubs SET leader_id = 2 WHERE id = 1;

INSERT INTO projects (id, name, name_folded, description, status, start_year, end_year, club_id, repositories, tech_stacks) VALUES
    (1, 'campus map', 'campus map', 'Where is
room 415?', 'ACTIVE', 2024, NULL, 1, '["https://git.example/map"]', '["Rust","SVG"]'),
    (2, '급식 알리미', '급식 알리미', '', 'ENDED', 2022, 2023, NULL, '[]', '[]'),
    (3, 'Campus radio', 'campus radio', '', 'ACTIVE', 2025, NULL, 2, '[]', '[]');

INSERT INTO project_participants (project_id, student_id) VALUES
    (1, 1),
    (3, 2),
    (1, 6);

INSERT INTO meals (id, school_code, school_name, office_code, office_name, date, kind, position, dishes, calories, origin, nutrition, serve_count) VALUES
    ('7010000_20261121_2', '7010000', '하늘고', 'B10', '서울', '2026-11-21', 'LUNCH', 2, '[["비빔밥",[1,5,6]],["물",[]]]', '812.5 Kcal', NULL, NULL, 216),
    ('7010000_20261121_1', '7010000', '하늘고', 'B10', '서울', '2026-11-21', 'BREAKFAST', 1, '[["비빔밥",[1,5,6]],["물",[]]]', '812.5 Kcal', '쌀 : 국내산
김치류 : 국내산', '탄수화물(g) : 101.2
단백질(g) : 20', 216),
    ('7010000_20261120_3', '7010000', '하늘고', 'B10', '서울', '2026-11-20', 'DINNER', 3, '[["비빔밥",[1,5,6]],["물",[]]]', '812.5 Kcal', NULL, NULL, 216),
    ('7010000_20251122_2', '7010000', '하늘고', 'B10', '서울', '2025-11-22', 'LUNCH', 2, '[["비빔밥",[1,5,6]],["물",[]]]', '812.5 Kcal', NULL, NULL, 216),
    ('7010000_20251121_2', '7010000', '하늘고', 'B10', '서울', '2025-11-21', 'LUNCH', 2, '[["비빔밥",[1,5,6]],["물",[]]]', '812.5 Kcal', NULL, NULL, 216);

INSERT INTO events (id, school_code, school_name, office_code, office_name, date, academic_year, name, content, day_category, course_type, day_night, target_grades) VALUES
    ('e3', '7010000', '하늘고', 'B10', '서울', '2026-11-21', '2026', 'Sports', NULL, NULL, NULL, NULL, '[1,3]'),
    ('e1', '7010000', '하늘고', 'B10', '서울', '2026-11-21', '2026', 'Open day', NULL, NULL, NULL, NULL, '[1,3]'),
    ('e2', '7010000', '하늘고', 'B10', '서울', '2026-11-22', '2026', 'Exam', 'It''s "graded" \ 100%', '휴업일', '공통', '주간', '[1,3]');

INSERT INTO lessons (id, school_code, school_name, office_code, office_name, date, academic_year, semester, grade, class_num, period, subject, department, classroom) VALUES
    ('l4', '7010000', '하늘고', 'B10', '서울', '2026-11-21', '2026', '2', 2, 1, 1, 'Mathematics', NULL, NULL),
    ('l3', '7010000', '하늘고', 'B10', '서울', '2026-11-21', '2026', '2', 1, 2, 1, 'Mathematics', NULL, NULL),
    ('l2', '7010000', '하늘고', 'B10', '서울', '2026-11-21', '2026', '2', 1, 1, 2, NULL, '소프트웨어과', 'SW 실습실 😀'),
    ('l1', '7010000', '하늘고', 'B10', '서울', '2026-11-21', '2026', '2', 1, 1, 1, 'Mathematics', NULL, NULL);

INSERT INTO accounts (id, email, email_folded, password_hash, role, created_at) VALUES
    ('21fb9ab3-e89e-4c7d-87e3-2aa9c034fcd2', 'kim.haneul@school.example', 'kim.haneul@school.example', '$argon2id$v=19$m=8,t=1,p=1$Opr6jJhBXS/eeuBhrtHvaA$TrJl/jjLUlIWAufPx3P6PcoiaG18BMd8noVliz63wFU', 'USER', 1767225600),
    ('9b930c09-1357-4d8c-a27e-0ae6de3e4bb1', 'Admin@School.example', 'admin@school.example', '$argon2id$v=19$m=8,t=1,p=1$3qIicQT6I3h+XbwSDLaAxg$A+M9oEZ+QffeZrC4mNzU6r4hjbWFBotG/jQ7RRwzxfw', 'ADMIN', 1767225600);

INSERT INTO applications (id, name, owner, created_at) VALUES
    ('service', 'School account', 'service', 0),
    ('7a0786b1-27a9-47b2-8ad8-ed51528891fd', 'Timetable & Friends', 'service', 1767225600);

INSERT INTO scopes (id, application_id, name, description) VALUES
    ('01010101-0101-4101-8101-010101010101', 'service', 'self_read', 'Read your basic information and student details'),
    ('02020202-0202-4202-8202-020202020202', 'service', 'manage', 'Manage your applications, clients and API keys'),
    ('641a359f-29f4-4c6b-98ca-c846aaf615e2', '7a0786b1-27a9-47b2-8ad8-ed51528891fd', 'read', 'Read <your> timetable'),
    ('83c16016-e1e0-42a6-a665-081da4cd5089', '7a0786b1-27a9-47b2-8ad8-ed51528891fd', 'write', 'Change your timetable'),
    ('13650858-8060-41f9-bb0f-49541e618dbd', '7a0786b1-27a9-47b2-8ad8-ed51528891fd', 'other', 'Something else');

INSERT INTO clients (id, name, owner, policy, redirect_uris, plain_pkce_allowed, created_at) VALUES
    ('55df6735-a95e-464d-a29e-3127983e206b', 'Timetable <Plus>', 'service', 'secret_or_pkce', '["https://app.example/callback","https://app.example/tenant?name=a%20b+c&flag"]', 0, 1767225600),
    ('2eea1aa2-0da3-4c3b-aa99-e750c33ee0b1', 'Campus App', 'service', 'none', '["http://127.0.0.1:8400/callback","com.example.campus:/callback"]', 0, 1767225600),
    ('5190ce93-24e5-44b6-8afd-c75714712565', 'Old Kiosk', 'service', 'secret_or_pkce', '["https://app.example/callback"]', 1, 1767225600);

INSERT INTO client_scopes (client_id, position, scope_id) VALUES
    ('2eea1aa2-0da3-4c3b-aa99-e750c33ee0b1', 2, '01010101-0101-4101-8101-010101010101'),
    ('5190ce93-24e5-44b6-8afd-c75714712565', 2, '01010101-0101-4101-8101-010101010101'),
    ('55df6735-a95e-464d-a29e-3127983e206b', 2, '01010101-0101-4101-8101-010101010101'),
    ('2eea1aa2-0da3-4c3b-aa99-e750c33ee0b1', 0, '641a359f-29f4-4c6b-98ca-c846aaf615e2'),
    ('5190ce93-24e5-44b6-8afd-c75714712565', 0, '641a359f-29f4-4c6b-98ca-c846aaf615e2'),
    ('55df6735-a95e-464d-a29e-3127983e206b', 0, '641a359f-29f4-4c6b-98ca-c846aaf615e2'),
    ('2eea1aa2-0da3-4c3b-aa99-e750c33ee0b1', 1, '83c16016-e1e0-42a6-a665-081da4cd5089'),
    ('5190ce93-24e5-44b6-8afd-c75714712565', 1, '83c16016-e1e0-42a6-a665-081da4cd5089'),
    ('55df6735-a95e-464d-a29e-3127983e206b', 1, '83c16016-e1e0-42a6-a665-081da4cd5089');

INSERT INTO client_secrets (client_id, position, digest, created_at) VALUES
    ('5190ce93-24e5-44b6-8afd-c75714712565', 0, X'3279ccd85ada1d92c4f49868e1909c0cf4fd0fac238f4a25368434646f43415b', 1767225600),
    ('55df6735-a95e-464d-a29e-3127983e206b', 0, X'3279ccd85ada1d92c4f49868e1909c0cf4fd0fac238f4a25368434646f43415b', 1767225600);

INSERT INTO api_keys (id, digest, hint, owner, description, scopes, created_at, expires_at, revoked_at) VALUES
    ('01010101-0101-4101-8101-010101010101', X'e9c031dbcb85518da57bfa2a8ac2dcdc206507e0b9f007a93b02ef02a7fcdd01', '01010101…0101', NULL, 'test', 'STUDENT_READ CLUB_READ PROJECT_READ NEIS_READ', 1767225600, 1769817600, NULL),
    ('02020202-0202-4202-8202-020202020202', X'bf8b9eea9352e2d065a1039230d72246cb7fa8e843db524a8406f37df15de4d7', '02020202…0202', '0b0b0b0b-0b0b-4b0b-8b0b-0b0b0b0b0b0b', 'test', 'CLUB_READ', 1767225600, 1769817600, 1767225600);

INSERT INTO sessions (digest, client_id, redirect_uri, state, scopes, challenge_method, challenge, subject_id, subject_email, subject_role, created_at, expires_at) VALUES
    (X'8c2072462da47ead5b00be86b92d3dc06419d1ef41afc28f25daddb41b529bc8', '55df6735-a95e-464d-a29e-3127983e206b', 'https://app.example/callback', 'xyz', '7a0786b1-27a9-47b2-8ad8-ed51528891fd:read', 'S256', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', '21fb9ab3-e89e-4c7d-87e3-2aa9c034fcd2', 'kim.haneul@school.example', 'USER', 1767225800, 1767226400),
    (X'b3a700c1afd48642e96eab09d87e86cb13a672281ebf429d0f1d8bd8bcf1256c', '55df6735-a95e-464d-a29e-3127983e206b', 'https://app.example/callback', 'xyz', '7a0786b1-27a9-47b2-8ad8-ed51528891fd:read', 'S256', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', NULL, NULL, NULL, 1767225800, 1767226400);

INSERT INTO grants (id, code_digest, client_id, redirect_uri, scopes, challenge_method, challenge, subject_id, subject_email, subject_role, created_at, code_expires_at, redeemed_at, proof, generation, rotated_at, idle_expires_at, expires_at, revoked_at) VALUES
    ('a99ffe3f-8457-4622-8230-aa1908fe7be8', X'fd623f2b1e6d941eb4add805751bef4e6213446288a65fd88f3f0cea1642ecb6', '55df6735-a95e-464d-a29e-3127983e206b', 'https://app.example/callback', '7a0786b1-27a9-47b2-8ad8-ed51528891fd:read', 'S256', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', '21fb9ab3-e89e-4c7d-87e3-2aa9c034fcd2', 'kim.haneul@school.example', 'USER', 1767225600, 1767225660, 1767225600, 'pkce', 2, 1767225800, 1769817800, 1782777600, NULL),
    ('52a3a875-37a0-456e-8824-f4bc9be98cb7', X'c3fc72cd6a450999044eefad2fc9d58d581db40bdb2e097cc623e617a90c4b42', '55df6735-a95e-464d-a29e-3127983e206b', 'https://app.example/callback', '7a0786b1-27a9-47b2-8ad8-ed51528891fd:read 7a0786b1-27a9-47b2-8ad8-ed51528891fd:write service:self_read', NULL, NULL, '21fb9ab3-e89e-4c7d-87e3-2aa9c034fcd2', 'kim.haneul@school.example', 'USER', 1767225800, 1767225860, 1767225800, 'secret', 0, NULL, 1769817800, 1782777800, 1767225800),
    ('214afe51-6d62-4dff-ba3a-d570730897bc', X'2bb3893e49d2858ec8fdb92dfdb9655313e2e27b0feb9a8b41f3db8b18b84da5', '55df6735-a95e-464d-a29e-3127983e206b', 'https://app.example/callback', '7a0786b1-27a9-47b2-8ad8-ed51528891fd:read', 'S256', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', '21fb9ab3-e89e-4c7d-87e3-2aa9c034fcd2', 'kim.haneul@school.example', 'USER', 1767225800, 1767225860, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

INSERT INTO signing_keys (sequence, id, algorithm, sealed, created_at) VALUES
    (1, 'Yyi9yeGV3Sr4pP3COmJdE3R1MequuSuExoX-Gjn_UX4', 'ES256', X'01f16d05ec6b29248d2c61adb13fbf3201a95dca9066a4a7b5cdaa344ea1eda8512acbc11dbd231b5cd8d322f173e3ee5e912ef44c2c8869be7167007f9ceceffa3a183df5dc93b62987a5a5625db8c263a639c4f4d6374f518d86c87fb1be98ee73e4851ff7b75374b27a1321ba2cc7ed6784268b296569878f48361b4859a0d4d672ed2d4ac8d3b3654946a2bba01470dc325aa2f81303cdb837412bfb26b5a4904b280e1974', 1767225600);

UPDATE directory_version SET version = 1;
