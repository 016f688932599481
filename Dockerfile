# The lockstep command as an image:
#   docker build -t lockstep .
#   docker run --rm -it lockstep verify --store jdbc:postgresql://host/database --user name --password
FROM maven:3.9-eclipse-temurin-17 AS build
WORKDIR /src
COPY . .
RUN mvn -B -pl cli -am package -Dmaven.test.skip=true -Dlockstep.withoutServers=true

# Only what the command needs at run time. The driver of MySQL is GPL and not among it: MariaDB's speaks to MySQL.
FROM eclipse-temurin:17-jre
RUN useradd --system --uid 10001 --no-create-home lockstep
COPY LICENSE NOTICE /opt/lockstep/
COPY --from=build /src/cli/target/lib /opt/lockstep/lib
COPY --from=build /src/cli/target/lockstep-cli.jar /opt/lockstep/
USER 10001
ENTRYPOINT ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-jar", "/opt/lockstep/lockstep-cli.jar"]
CMD ["--help"]
