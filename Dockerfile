# The server, and the whole lockstep command, as an image:
#   docker build -t lockstep .
#   export LOCKSTEP_TOKEN=$(openssl rand -hex 32); echo $LOCKSTEP_TOKEN
#   docker run --rm -it --stop-timeout 30 -p 127.0.0.1:7070:7070 -e LOCKSTEP_TOKEN -v lockstep:/var/lib/lockstep lockstep
#   docker run --rm -it lockstep verify --store jdbc:postgresql://host/database --user name --password
FROM maven:3.9-eclipse-temurin-17 AS build
WORKDIR /src
COPY . .
RUN mvn -B -pl cli -am package -Dmaven.test.skip=true -Dlockstep.withoutServers=true

# Only what the command needs at run time. The driver of MySQL is GPL and not among it: MariaDB's speaks to MySQL.
FROM eclipse-temurin:17-jre
RUN useradd --system --uid 10001 --no-create-home lockstep \
    && install --directory --owner=10001 /var/lib/lockstep
COPY LICENSE NOTICE /opt/lockstep/
COPY --from=build /src/cli/target/lib /opt/lockstep/lib
COPY --from=build /src/cli/target/lockstep-cli.jar /opt/lockstep/
USER 10001
VOLUME /var/lib/lockstep
EXPOSE 7070
# Other commands have no server, and their containers end before the first check.
HEALTHCHECK --start-period=30s --interval=10s --timeout=5s \
    CMD ["/bin/bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/7070; printf 'GET /actuator/health/liveness HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3; grep -q 'HTTP/1.[01] 200' <&3"]
ENTRYPOINT ["java", "-XX:MaxRAMPercentage=70", "-jar", "/opt/lockstep/lockstep-cli.jar"]
# It lets other machines in, so it starts only with a token in LOCKSTEP_TOKEN. With LOCKSTEP_STORE on a database, say what can be locked
# instead of where files are: serve --host 0.0.0.0 --kind user:0
CMD ["serve", "--host", "0.0.0.0", "--data", "/var/lib/lockstep"]
